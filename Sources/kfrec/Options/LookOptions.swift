import Render

/// The options that compare a look and keep it.
let lookOptions: [Option] = [
  .value(
    "compare", taking: .oneOf("HOW", ["split": .split, "side": .side]), into: \.comparison,
    in: .effects, help: "Show the picture before and after the effects",
    details: """
      split shows the left half before and the right half after them, with a thin line between the two; side shows both \
      pictures beside each other, in an output twice as wide. Before the effects is after --crop, --rotate, --flip and \
      --size.
      """),
  .value(
    "save-preset", taking: .text("FILE", expected: "a file's name"), into: \.savedPreset,
    in: .effects, help: "Write the options and effects of this command to a file for --preset",
    details: """
      The first line is kfrec preset 1, and each line after it is an option as it is typed; # begins a comment. Paths \
      in it count from its folder. -i, -o, -y and -n are never stored, but you may write -i and -o into the file. Without \
      -o only the file is written. -y replaces a file that exists.
      """),
]
