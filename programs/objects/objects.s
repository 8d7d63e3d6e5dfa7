; run: --mesh 4x2x1
; also: --mesh 3x3x3 --set objects_count=40
; also: --mesh 5x1x1 --seed 4 --queue 16
; also: --mesh 1x1x1 --set objects_count=3
; objects: accounts of two classes on random nodes. All of them transfer money to the
; next at once: the method withdraws it, sends the other account a message, and waits
; for its answer, while other methods run. Then the balances must add up.
        .include "services.inc"
        .global main, objects_count

;   create:   | MSG object_create,6 | INT words | node | slot | INT class | INT amount |
;   send:     | MSG object_send,n | identifier | INT selector | node | slot | ... |
;   deposit:  ... | INT amount |                  answers TRUE
;   transfer: ... | identifier | INT amount |     answers TRUE
;   balance:  ... |                               answers INT
        .equ    REPLY_NODE, 3
        .equ    REPLY_SLOT, 4
        .equ    ARGUMENT, 5

; An account: its class and its money. A savings account gains 1 with each deposit.
        .equ    PLAIN, 1
        .equ    SAVINGS, 2
        .equ    AMOUNT, 1
        .equ    BONUS, 2
        .equ    ACCOUNT_WORDS, 3

        .equ    DEPOSIT, 0x10           ; selectors
        .equ    TRANSFER, 0x14
        .equ    BALANCE, 0x18

        .equ    FIRST, 100              ; amount of a new account
        .equ    MOST, 100               ; accounts

        .section objects_accounts,external,fill
accounts:                       ; their identifiers, on node 0
        .space  MOST

        .data
objects_count:                  ; accounts, 2 or more
        .word   INT:12
objects_data:                   ; of main
        .word   INT:0
        .equ    INDEX, 0
        .word   INT:0
        .equ    TOTAL, 1
        .word   INT:0
        .equ    COUNT, 2
        .equ    OBJECTS_WORDS, 3

        .text

; method class, selector, procedure: registers it on every node; the home stores it.
        .macro  method class, selector, procedure
        .word   SYM:((\class) << 16) + (\selector)
        move    r0,r1
        .ip     \procedure
        move    r0,r2
        service name_register
        .endm

; slot: R1 <- the reference of slot INDEX + 1 of A1. R0, R2 lost.
        .macro  slot
        reference a1,1,r1
        move    [INDEX,a2],r2
        add     r1,r2,r1
        lsh     r2,10,r2
        lsh     r2,10,r2
        add     r1,r2,r1
        .endm

; account: R1 <- the identifier of account INDEX. R0 lost.
        .macro  account
        move    [INDEX,a2],r1
        .word   INT:accounts
        add     r1,r0,r1
        move    [r1,a0],r1
        .endm

; each label: jumps to `label` with the next account; after the last one falls through.
        .macro  each label
        move    [INDEX,a2],r1
        add     r1,1,r1
        move    r1,[INDEX,a2]
        equal   r1,[COUNT,a2],r0
        bf      r0,^\label
        move    0,r1
        move    r1,[INDEX,a2]
        .endm

; main: in background, I = 1; A1 = a context with a slot for each account.
main:
        method  PLAIN, DEPOSIT, deposit
        method  PLAIN, TRANSFER, transfer
        method  PLAIN, BALANCE, balance
        method  SAVINGS, DEPOSIT, deposit_bonus
        method  SAVINGS, TRANSFER, transfer
        method  SAVINGS, BALANCE, balance_bonus
        load    kernel_rank,r1
        bz      r1,^.node0
        goto    kernel_idle
.node0:
        segment objects_data,OBJECTS_WORDS,a2
        load    objects_count,r1
        move    r1,[COUNT,a2]
        invoke  context_new
        move    r1,a1

.create:                        ; PLAIN, SAVINGS, PLAIN ...
        service spawn_node
        mask    r0
        .msg    object_create,6,U
        send2   r1,r0,0
        move    ACCOUNT_WORDS,r1
        readr   nnr,r2
        send2   r1,r2,0
        slot
        send    r1,0
        move    [INDEX,a2],r1
        and     r1,1,r1
        add     r1,PLAIN,r1
        constant FIRST,r2
        send2e  r1,r2,0
        mask    r0
        each    .create
.keep:                          ; wait for each identifier, then rearm its slot
        move    [INDEX,a2],r1
        .word   INT:accounts
        add     r1,r0,r2
        add     r1,1,r1
        move    [r1,a1],r3
        move    r3,[r2,a0]
        slot
        invoke  context_arm
        each    .keep

.transfer:                      ; INDEX to the next account, all at once
        account
        move    r1,r2
        home    r2,r1
        mask    r0
        .msg    object_send,7
        send2   r1,r0,0
        constant TRANSFER,r1
        send2   r2,r1,0
        readr   nnr,r1
        send    r1,0
        slot
        send    r1,0
        move    [INDEX,a2],r2
        add     r2,1,r1
        equal   r1,[COUNT,a2],r0
        bf      r0,^.next
        move    0,r1
.next:
        .word   INT:accounts
        add     r1,r0,r1
        move    [r1,a0],r1
        send2e  r1,r2,0
        mask    r0
        each    .transfer
.done:
        move    [INDEX,a2],r1
        add     r1,1,r1
        move    [r1,a1],r3
        slot
        invoke  context_arm
        each    .done

.balance:                       ; one after the other
        account
        move    r1,r2
        home    r2,r1
        mask    r0
        .msg    object_send,5
        send2   r1,r0,0
        constant BALANCE,r1
        send2   r2,r1,0
        readr   nnr,r1
        send    r1,0
        slot
        sende   r1,0
        mask    r0
        move    [INDEX,a2],r1
        add     r1,1,r1
        move    [r1,a1],r1      ; waits
        add     r1,[TOTAL,a2],r1
        move    r1,[TOTAL,a2]
        account
        home    r1,r2
        .msg    object_delete,2,U
        send2   r2,r0,0
        sende   r1,0
        mask    r0
        each    .balance

        move    [COUNT,a2],r1
        invoke  kernel_print_decimal
        print   accounts_text
        move    [TOTAL,a2],r1
        invoke  kernel_print_decimal
        print   newline_text

        ; the initial total, and 1 for the deposit in every savings account
        constant FIRST,r1
        mul     r1,[COUNT,a2],r1
        move    [COUNT,a2],r2
        lsh     r2,-1,r2
        add     r1,r2,r1
        equal   r1,[TOTAL,a2],r0
        move    0,r1
        bt      r0,^.right
        print   wrong_text
        move    1,r1
.right:
        exit    r1
        goto    kernel_idle

; ---- methods: A1 = the account, A3 = the message -----------------------------------

deposit_bonus:
        move    [BONUS,a1],r1
        bnnil   r1,^.some       ; NIL in a new account
        move    0,r1
.some:
        add     r1,1,r1
        move    r1,[BONUS,a1]
deposit:
        move    [AMOUNT,a1],r1
        add     r1,[ARGUMENT,a3],r1
        move    r1,[AMOUNT,a1]
        move    true,r1
        reply   [REPLY_NODE,a3],[REPLY_SLOT,a3],r1
        suspend

balance_bonus:
        move    [BONUS,a1],r2
        bnnil   r2,^.some
        move    0,r2
.some:
        add     r2,[AMOUNT,a1],r2
        reply   [REPLY_NODE,a3],[REPLY_SLOT,a3],r2
        suspend

balance:
        move    [AMOUNT,a1],r2
        reply   [REPLY_NODE,a3],[REPLY_SLOT,a3],r2
        suspend

; transfer: [5,a3] = identifier of the other account, [6,a3] = INT amount.
transfer:
        move    [AMOUNT,a1],r1
        sub     r1,[ARGUMENT + 1,a3],r1
        move    r1,[AMOUNT,a1]
        move    1,r1
        invoke  context_new
        move    r1,a2
        reference a2,1,r3
        move    [ARGUMENT,a3],r2
        home    r2,r1
        .msg    object_send,6
        send2   r1,r0,0
        constant DEPOSIT,r1
        send2   r2,r1,0
        readr   nnr,r1
        send2   r1,r3,0
        sende   [ARGUMENT + 1,a3],0
        move    [1,a2],r3       ; waits
        move    a2,r1
        invoke  block_free
        move    true,r3
        reply   [REPLY_NODE,a3],[REPLY_SLOT,a3],r3
        suspend

        .ext
accounts_text:
        .asciz  " accounts, together "
newline_text:
        .asciz  "\n"
wrong_text:
        .asciz  "money was lost or made\n"
