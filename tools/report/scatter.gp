# A mark for each run.
set key @place
stats data using (column(x_column)) nooutput
set xtics exists('STATS_max') && STATS_max > 20 ? 5 : 1
plot data using (column(x_column)):(column(y_column)) with points lt 1 ps 0.8 notitle @extra
