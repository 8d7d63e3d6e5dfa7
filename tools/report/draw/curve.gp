# y over x with error bars, a curve for each value of the series.
set key @place
plot for [i=1:|values|*(error_column ne '')] data \
    using (keep(values[i]) ? column(x_column) : NaN):(column(y_column)): \
    (column(error_column)) with yerrorbars lt i pt -1 lw 1.2 notitle, \
    for [i=1:|values|] data \
    using (keep(values[i]) ? column(x_column) : NaN):(column(y_column)) \
    with lines lt i notitle, \
    for [i=1:|values|] data \
    using (keep(values[i]) ? column(x_column) : NaN):(column(y_column)) \
    with points lt i title name(values[i]) @extra @stated
