# y over x with error bars, a curve for each value of the series. The rows of a curve need
# not be neighbours: those of others are missing in it, and it is sorted by x.
set datafile missing NaN
set key @place maxrows key_rows
plot for [i=1:|values|*(error_column ne '')] data \
    using (keep(i) ? column(x_column) : NaN):(column(y_column)): \
    (column(error_column)) with yerrorbars lt i pt -1 lw 1.2 notitle, \
    for [i=1:|values|] data \
    using (keep(i) ? column(x_column) : NaN):(column(y_column)) \
    smooth unique with lines lt i notitle, \
    for [i=1:|values|] data \
    using (keep(i) ? column(x_column) : NaN):(column(y_column)) \
    with points lt i title name(i) @extra @stated
