# y over x with error bars, a curve for each value of the series.
set key @place
plot for [i=1:words(values)*(error_column ne '')] data \
    using (keep(word(values, i)) ? column(x_column) : NaN):(column(y_column)): \
    (column(error_column)) with yerrorbars lt i pt -1 lw 1.2 notitle, \
    for [i=1:words(values)] data \
    using (keep(word(values, i)) ? column(x_column) : NaN):(column(y_column)) \
    with lines lt i notitle, \
    for [i=1:words(values)] data \
    using (keep(word(values, i)) ? column(x_column) : NaN):(column(y_column)) \
    with points lt i title name(word(values, i)) @extra
