# From a trace: what each message cost, from the start of its dispatch to the end of its
# SUSPEND, with the faults it had.
$4 == "dispatch" { begun[$2] = $1; name[$2] = $6; faults[$2] = "" }
$4 == "fault" && index(faults[$2], $NF) == 0 { faults[$2] = faults[$2] ", " $NF }
$4 == "suspend" {
    printf "node %d, %s%s: %d\n", $2, name[$2], faults[$2], $1 + 2 - begun[$2]
}
