# Cumulative percentage of the runs over their makespan, a curve for each swept value.
set key @place maxrows key_rows
plot for [i=1:|values|] data using (keep(i) ? column(x_column) : NaN):(column(y_column)) \
    with steps lt i notitle, \
    for [i=1:|values|] data using (keep(i) ? column(x_column) : NaN):(column(y_column)) \
    with points lt i title name(i) @extra @stated
