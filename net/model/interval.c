/* Confidence intervals of means; see interval.h. */
#include "net/model/interval.h"

#include <gsl/gsl_cdf.h>
#include <math.h>

double net_student(unsigned count, double confidence) {
    return gsl_cdf_tdist_Pinv((1 + confidence) / 2, count - 1.0);
}

double net_half_width(double sd, unsigned count, double confidence) {
    return net_student(count, confidence) * sd / sqrt(count);
}
