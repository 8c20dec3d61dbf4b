import Frames
import Render
package import Settings
import ShaderEffects

extension Recording {
  /// The chain of effects, and the GPU.
  package static let effectOptions: [OptionRow<Recording>] = [
    .list(
      "effect", short: "e", taking: .effect, into: \.effects, in: .effects,
      of: [.record, .batch, .preview, .play], traits: [.recording, .wholeBatch, .chain],
      help: "Apply an effect; repeat it for a chain, in order",
      details: """
        NAME or the path of an effect file, with parameters if needed: \
        NAME:param=value,param=value. The parts of a vector or a colour are separated by / \
        (center=0.5/0.25, tint=ff8000). An image input takes whatever -i takes (background=back.png); add ~loop, ~hold or \
        ~start=5 for a video. An event has the seconds at which it fires instead of a value (flash@2@5). Keyframes are \
        written value@second (amount=0@0..1@2..0.5@4); add ~smooth or ~step after the last one for other than straight \
        lines between them. A formula of time gives each frame its value ('amount=0.5+0.5*sin(time*2)', with time, frame, \
        fps, pi, and the audio as level, low, mid, high, onset and beat). Every effect also takes mix=0..1, the share of the effect that is blended \
        over its input, and from= and to=, the seconds between which it acts. Files of the Interactive \
        Shader Format (name.fs), of Shadertoy (name.frag, name.json) and of gl-transitions (name.glsl) run unchanged. If the \
        first effect is a generator, no input is needed; --size, --fps and --duration set what it makes. kfrec effects \
        lists the names, kfrec effects NAME the parameters. FILE.kfpreset stands for the effects of a preset file.
        """),
    .list(
      "effects-dir", taking: .folder(), into: \.effectFolders, in: .effects,
      of: [.record, .effects, .check, .golden, .batch, .preview, .play],
      traits: [.recording, .chain], help: "Search this folder for effects first"),
    .list(
      "allow-read", taking: .folder(), into: \.readableFolders,
      in: .effects, of: [.record, .effects, .check, .golden, .batch, .preview, .play],
      traits: [.recording, .person],
      help: "Let effects read files of this folder; repeat for more",
      details: """
        Without this option the files that an effect itself names (includes, imported pictures, golden inputs) must lie in \
        the effect's own folder, below it, or in the include folder of a folder of effects, also behind links. A file that \
        you give to an input of an effect may lie anywhere. A preset cannot have this option.
        """),
    .flag(
      "reload", in: .effects, of: [.record, .preview, .play],
      help: "Recompile an effect when its file changes",
      details: """
        The new version is used from the next frame on. If it has errors, they are reported, and the last good \
        version stays in use. State that effects keep from frame to frame is reset.
        """
    ) { $0.reloadsEffects = true },
    .value(
      "time", taking: .time(), into: \.firstTime, in: .effects, of: [.record, .batch, .preview],
      traits: .recording, help: "Effect time of the first frame",
      details: "Default: 0. With a single image it selects the time to render."),
    .value(
      "frame-index", taking: .number(in: 0...Int(Int32.max)), into: \.firstFrameIndex, in: .effects,
      of: [.record, .batch, .preview], traits: .recording,
      help: "Frame number that effects see for the first frame"),
    .value(
      "gpu", taking: .text("GPU", expected: "a GPU's number, name, UUID or PCI address"),
      into: \.gpu,
      in: .effects, of: [.record, .check, .golden, .batch, .preview, .play],
      traits: [.recording, .wholeBatch, .machine],
      help: "Use the GPU with this number, name, UUID or PCI address",
      details: """
        kfrec devices lists them. Default: the one that a scheduler gave to this process (CUDA_VISIBLE_DEVICES or \
        SLURM_JOB_GPUS), else the most capable one.
        """),
    .flag(
      "require-gpu", in: .effects, of: [.record, .batch, .preview, .play],
      traits: [.recording, .machine], help: "Fail if there is no hardware GPU",
      details: """
        Without this option the software driver, which needs the processor alone, is used if there is no other. A \
        batch checks it before it begins; a single recording that needs no GPU is not affected.
        """
    ) { $0.requiresGPU = true },
    .value(
      "gpu-timeout", taking: .time(positive: true), into: \.frameLimit, in: .effects,
      of: [.record, .check, .golden, .batch, .preview, .play],
      traits: [.recording, .wholeBatch, .machine], help: "Time limit for one frame on the GPU",
      details: """
        Default: 30 seconds. If an effect takes longer, perhaps because it never ends, the recording ends; \
        the frames that are encoded by then are kept. The limit is also that of the processor time for each kernel \
        that the driver compiles.
        """),
    .flag(
      "force-gpu", in: .effects, of: [.record, .batch, .preview], traits: .recording,
      help: "Always use the GPU, even if it would change nothing",
      details:
        "Without this option frames that need no effect, subtitles, scaling, crop, flip, rotation, deinterlacing, "
        + "blending or conversion bypass the GPU, and no Vulkan driver is needed."
    ) { $0.forcesGPU = true },
    .value(
      "compare", taking: .oneOf("HOW", ["split": .split, "side": .side]), into: \.comparison,
      in: .effects, of: [.record, .batch, .preview, .play], traits: .recording,
      help: "Show the picture before and after the effects",
      details: """
        split shows the left half before and the right half after them, with a thin line between the two; side shows both \
        pictures beside each other, in an output twice as wide. Before the effects is after --crop, --rotate, --flip and \
        --size.
        """),
  ]
}

extension ValueGrammar where Value == EffectSpec {
  fileprivate static let effect = Self(
    name: "EFFECT", expected: "an effect's name or path, such as separateRGB:amount=2",
    kind: .effect
  ) { word in
    word.isEmpty ? nil : try EffectSpec(parsing: word)
  }
}
