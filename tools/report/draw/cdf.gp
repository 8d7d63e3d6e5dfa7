# Cumulative percentage of the runs over their makespan.
set key @place
plot data using (column(x_column)):(column(y_column)) with steps lt 1 notitle, \
    data using (column(x_column)):(column(y_column)) with points lt 1 notitle @extra @stated
