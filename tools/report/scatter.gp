# A mark for each run.
set key @place
set xtics 1
plot data using (column(x_column)):(column(y_column)) with points lt 1 ps 0.8 notitle @extra
