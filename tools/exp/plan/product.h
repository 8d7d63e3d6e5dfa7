/* Experiments whose sweep is a product: every choice at every load point. They stand in
 * products.def, not in experiments.def, because their sweeps are computed. */
#ifndef JM_TOOLS_EXP_PLAN_PRODUCT_H
#define JM_TOOLS_EXP_PLAN_PRODUCT_H

#include "tools/exp/plan/experiment.h"

typedef enum {
#define PRODUCT(name, ...) PRODUCT_##name,
#include "tools/exp/plan/products.def"
#undef PRODUCT
    PRODUCTS
} ProductId;

/* The load points of the calibration. */
typedef enum {
#define LOAD(name, settings, quick, full) LOAD_##name,
#include "tools/exp/plan/loads.def"
#undef LOAD
    LOADS
} LoadId;

/* The load points of the readings, for which the thesis gives how often queues
 * overflow, when and where, and how long they get. */
typedef enum {
#define LOAD(name, settings, quick, full) READING_LOAD_##name,
#include "tools/exp/plan/reading_loads.def"
#undef LOAD
    READING_LOADS
} ReadingLoadId;

/* A change of the machine that is tried at all load points. */
typedef struct {
    const char *name, *settings, *text;
} Choice;

/* A load point. */
typedef struct {
    const char *settings;
    unsigned quick, full; /* hops */
} Load;

/* A product. Choice 0 is all defaults; loads are in the order of their ids. */
typedef struct {
    Experiment experiment;
    const Choice *choices;
    unsigned choice_count;
    const Load *loads;
    unsigned load_count;
} Product;

/* Returns product `id`, a ProductId; NULL after the last. */
const Product *product_at(unsigned id);
const Product *product_find(const char *name); /* NULL: none */

/* Adds the load points to the campaign, once for each choice. */
bool product_add(Campaign *campaign, const Product *product, JmError *error);

/* Returns the point of a choice at a load, both from 0. NULL if there is none, or if
 * --set sweeps a setting: then there are several, and none is the choice's. */
const Point *product_point(const Plan *plan, const Product *product, unsigned choice,
                           unsigned load);

#endif
