# Models as lines, the machine and simulations as marks, on the same axes.
set key @place vertical Left reverse maxrows key_rows width 4 samplen 1.6 font ',10'
shown(name) = name eq 'none' || name eq 'all' ? '' : name
on(curve, name) = strcol(curve) eq name ? column(x_column) : NaN
plot for [i=1:|lines|] data using (on('line', lines[i])):(column(y_column)) \
    with lines lt i title shown(lines[i]), \
    for [i=1:|marks|*(error_column ne '')] data \
    using (on('mark', marks[i])):(column(y_column)):(column(error_column)) \
    with yerrorbars lt i pt -1 lw 1.2 notitle, \
    for [i=1:|marks|] data using (on('mark', marks[i])):(column(y_column)) \
    with points lt i title shown(marks[i]) @extra @stated
