/* Guided stories: a program and its options, and moments, each with a text and what is
 * done to come there. `second` are the options of a machine beside the first. */

const SNAKES = "--set snakes_h=45";
const STORIES = [
    {
        title: "A message's life", program: "wire", mesh: "8x8x8", options: "",
        moments: [
            {text: "The machine has 512 nodes, and each link carries one message at a time. " +
                   "We stop when the first message is opened by a SEND.",
             commands: ["catch send", "continue"], topic: "messages"},
            {text: "The header is on its way. Its flits wind through the mesh, first along X, then " +
                   "Y, then Z. Choose the message on the right: the dashed line is its plan, the " +
                   "full line what it has done.",
             commands: ["delete", "cycle 6"], topic: "messages", follow: true},
            {text: "It has arrived: the words lie in the queue of the destination. The first row " +
                   "is enough to start its handler while the rest still comes.",
             commands: ["catch arrive", "continue"], topic: "queue"},
            {text: "The handler runs: A3 points to the message. Its SUSPEND takes the message " +
                   "out of the queue, and the node is ready for the next.",
             commands: ["delete", "catch dispatch", "continue"], topic: "backtrace"},
        ],
    },
    {
        title: "A future", program: "futures", mesh: "4x2x1", options: "",
        moments: [
            {text: "A task asks another node for a value and puts a FUT word where the answer " +
                   "will go. Copying the word is free; using it faults. We stop at that fault.",
             commands: ["catch fault FUT", "continue"], topic: "where"},
            {text: "The handler has saved the registers and ended the message: the node does " +
                   "something else meanwhile.",
             commands: ["delete", "task"], topic: "where"},
            {text: "The reply has come. It puts the value into the slot and starts the task again " +
                   "at the instruction that faulted.",
             commands: ["catch arrive", "continue", "task"], topic: "backtrace"},
            {text: "And so to the end.", commands: ["delete", "continue"], topic: "where"},
        ],
    },
    {
        title: "The overflow", program: "snakes", mesh: "8x8x8", options: SNAKES,
        colour: "queue",
        moments: [
            {text: "Snakes: 2,560 messages wander from node to node, 45 cycles of work at each. " +
                   "The queues hold 512 words. The load is even; the depth is not going to be.",
             commands: ["goto 60000"], topic: "where"},
            {text: "Paths cross in the middle, and the middle's nodes wait to send. Watch it " +
                   "fill: continue, and look at the longest queue.",
             commands: ["goto 160000"], topic: "where"},
            {text: "SEND faults: nodes in the middle try again and again to send into a full " +
                   "network. While they do, their own queues are not served.",
             commands: ["goto 240000"], colour: "faults", topic: "why blocked"},
            {text: "A queue is full. Its node takes nothing from the network until the overflow " +
                   "handler has moved words to slow memory, and every node behind it waits.",
             commands: ["catch overflow", "continue"], colour: "queue", topic: "queue"},
            {text: "Around that node all stops. Following who waits for whom leads to it.",
             commands: ["delete", "cycle 1500"], topic: "why blocked"},
        ],
    },
    {
        title: "Fair against unfair", program: "snakes", mesh: "8x8x8",
        options: `${SNAKES} --router unfair`, second: `${SNAKES} --router fair`, colour: "queue",
        moments: [
            {text: "Two machines with the same messages. On the left the router as built: a " +
                   "message that goes straight on is preferred. On the right it takes turns.",
             commands: ["goto 60000"], topic: "where"},
            {text: "At the unfair router messages that enter from the side wait. Compare the " +
                   "middles of both machines: the fair one has delivered a quarter more words.",
             commands: ["goto 150000"], topic: "statistics"},
            {text: "Much later both have full queues. Fairness delays the overflow's harm, and " +
                   "does not cure it. The line below the picture shows both.",
             commands: ["goto 300000"], topic: "where"},
        ],
    },
    {
        title: "A cure", program: "snakes", mesh: "8x8x8",
        options: SNAKES, second: `${SNAKES} --param spill_mark=256`, colour: "queue",
        moments: [
            {text: "The machine on the right spills: rows that would take a queue above 256 words " +
                   "go to a ring beside the memory, and come back as soon as there is room.",
             commands: ["goto 100000"], topic: "where"},
            {text: "On the left the middle stands, and nodes wait for it. On the right no queue " +
                   "is ever full, so no node ever stops taking messages.",
             commands: ["goto 250000"], topic: "where"},
            {text: "Now the right machine has delivered about three times as many words as the " +
                   "left one. Its queues have not overflowed once.",
             commands: ["goto 400000"], topic: "statistics"},
        ],
    },
    {
        title: "A radix sort fills a queue", program: "radix", mesh: "8x8x8",
        options: "--queue 256 --set radix_keys=65536", colour: "queue",
        moments: [
            {text: "512 nodes sort 65,536 keys. Each has counted its keys, and sums over all nodes " +
                   "tell it where each key goes. We stop where the first node begins to send.",
             commands: ["break spread", "continue"], topic: "where"},
            {text: "Each key travels to its place in a message of its own, and all nodes send as " +
                   "fast as they can. Most places are far away, so most messages cross the middle.",
             commands: ["delete", "goto 45000"], topic: "messages"},
            {text: "Node 107, cycle 46,277, 4.6 milliseconds after the start: its queue of 256 " +
                   "words is full, with 64 keys. The oldest has waited for 5,500 cycles.",
             commands: ["catch overflow", "continue"], topic: "queue"},
            {text: "Why has it not been served? The node is in the middle of sending a key itself. " +
                   "Nothing interrupts a message that is half sent, and the wires ahead are taken. " +
                   "Now the overflow handler moves all keys through slow memory, a word at a time. " +
                   "With queues of 512 words none fills, and the sort takes half as long.",
             commands: ["why blocked"], topic: "why blocked"},
        ],
    },
];
