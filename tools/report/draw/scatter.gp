# A mark for each run.
set key @place
stats data using (column(x_column)) nooutput
last = exists('STATS_max') ? STATS_max : 0
set xtics last > 20 ? 5 : last > 10 ? 2 : 1
plot data using (column(x_column)):(column(y_column)) with points lt 1 ps 0.8 notitle @extra @stated
