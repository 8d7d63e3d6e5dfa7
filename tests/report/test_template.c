/* The template engine of the report: values, sections, scopes, escapes, mistakes. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/report/template.h"

/* Expands a template with values in JSON; NULL and a message in `error` on failure. */
static char *render(const char *text, const char *values, JmError *error) {
    char *output = NULL;
    size_t size;
    FILE *out = open_memstream(&output, &size);
    json_t *json = json_loads(values, 0, NULL);
    cr_assert(out && json, "%s", values);
    const bool good = template_render(out, text, json, error);
    fclose(out);
    json_decref(json);
    if (good)
        return output;
    free(output);
    return NULL;
}

static void expect(const char *text, const char *values, const char *wanted) {
    JmError error = {.offset = -1};
    char *output = render(text, values, &error);
    cr_assert_not_null(output, "%s: %s", text, error.text);
    cr_expect_str_eq(output, wanted, "%s: %s", text, output);
    free(output);
}

static void refuse(const char *text, const char *message) {
    JmError error = {.offset = -1};
    cr_assert_null(render(text, "{\"a\": [1, 2]}", &error), "%s", text);
    cr_expect_not_null(strstr(error.text, message), "%s: %s", text, error.text);
}

Test(template, values) {
    expect("", "{}", "");
    expect("no tags, { or }", "{}", "no tags, { or }");
    expect("{{a}} {{b}}{{c}}.", "{\"a\": \"x\", \"b\": 12}", "x 12.");
    expect("{{a}}", "{\"a\": 0.123456}", "0.1235");
    expect("{{a}}{{b}}{{c}}", "{\"a\": true, \"b\": [1], \"c\": {\"d\": 1}}", "");
}

Test(template, escapes) {
    expect("{{a}}", "{\"a\": \"<b> & \\\"q\\\" 'r'\"}",
           "&lt;b&gt; &amp; &quot;q&quot; &#39;r&#39;");
    expect("{{{a}}}", "{\"a\": \"<b> & \\\"q\\\"\"}", "<b> & \"q\"");
    /* A value is not expanded as a template. */
    expect("{{a}}", "{\"a\": \"{{b}}\", \"b\": 1}", "{{b}}");
}

Test(template, sections) {
    expect("{{#a}}<{{.}}>{{/a}}", "{\"a\": [1, \"x\"]}", "<1><x>");
    expect("{{#a}}{{b}},{{/a}}", "{\"a\": [{\"b\": 1}, {\"b\": 2}]}", "1,2,");
    expect("{{#a}}{{b}}{{/a}}", "{\"a\": {\"b\": \"x\"}}", "x");
    expect("{{#a}}yes{{/a}}{{^a}}no{{/a}}", "{\"a\": true}", "yes");
    /* Zero is something; empty texts and lists, null and false are nothing. */
    expect("{{#a}}yes{{/a}}{{^a}}no{{/a}}", "{\"a\": 0}", "yes");
    expect("{{#a}}yes{{/a}}{{^a}}no{{/a}}", "{\"a\": \"\"}", "no");
    expect("{{#a}}yes{{/a}}{{^a}}no{{/a}}", "{\"a\": []}", "no");
    expect("{{#a}}yes{{/a}}{{^a}}no{{/a}}", "{\"a\": null}", "no");
    expect("{{#a}}yes{{/a}}{{^a}}no{{/a}}", "{\"a\": false}", "no");
    expect("{{#a}}yes{{/a}}{{^a}}no{{/a}}", "{}", "no");
    expect("{{?a}}<{{#a}}{{.}}{{/a}}{{b}}>{{/a}}", "{\"a\": [1, 2], \"b\": 3}",
           "<123>");
    expect("{{?a}}<{{^a}}no{{/a}}>{{/a}}{{?b}}b{{/b}}", "{\"a\": 0, \"b\": []}", "<>");
}

Test(template, scopes) {
    expect("{{#a}}{{b}}{{c}} {{/a}}{{b}}",
           "{\"a\": [{\"b\": 1}, {\"c\": 2}], \"b\": 3, \"c\": 4}", "14 32 3");
    expect("{{#a}}{{#a}}{{.}}{{/a}};{{/a}}", "{\"a\": [{\"a\": [1, 2]}]}", "12;");
    expect("{{#a}}{{#b}}{{c}}{{/b}}{{/a}}", "{\"a\": {\"b\": [{}]}, \"c\": 5}", "5");
}

Test(template, mistakes) {
    refuse("{{a", "not closed");
    refuse("{{{a}}", "not closed");
    refuse("{{#a}}x", "this section is not closed");
    refuse("{{#a}}{{#a}}x{{/a}}", "this section is not closed");
    refuse("x{{/a}}", "no section of this name is open");
    refuse("{{#a}}{{/b}}{{/a}}", "no section of this name is open");
    char name[200] = "{{";
    for (int i = 0; i < 100; i++)
        name[2 + i] = 'n';
    memcpy(name + 102, "}}", 3);
    refuse(name, "not closed");
}
