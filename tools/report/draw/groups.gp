# Groups of rows side by side along x, by the columns of the list `group`: a bar for each,
# of the columns in the list y_column, the first one lowest; or, if that is one column, a
# mark for each row, of its own kind for each curve.
set key @place maxrows key_rows
group_of(k) = strcol(word(group, k)).(k < words(group) ? ', '.group_of(k + 1) : '')
place_of(text) = sum [k=1:|groups|] (groups[k] eq text ? k : 0)
set xrange [0.5:|groups| + 0.5]
set xtics () rotate by -40 noenhanced font ',10'
set for [k=1:|groups|] xtics add (labels[k] k)
beside(i) = 0.7 * (i - 0.5 * (|values| + 1)) / |values|
set boxwidth 0.7
up_to(k) = column(word(y_column, k)) + (k > 1 ? up_to(k - 1) : 0)
parts = words(y_column) > 1 ? words(y_column) : 0
plot for [i=parts:1:-1] data using (place_of(group_of(1))):(up_to(i)) \
    with boxes lt i title word(y_column, i) noenhanced, \
    for [i=1:|values|*(parts == 0)] data \
    using (keep(i) ? place_of(group_of(1)) + beside(i) : NaN):(column(y_column)) \
    with points lt i title name(i) @extra @stated
