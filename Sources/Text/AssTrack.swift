import CLibass

/// libass, with a renderer and a track of words; the one owner of all three.
struct AssTrack: ~Copyable {
  let library: OpaquePointer
  let renderer: OpaquePointer
  let track: UnsafeMutablePointer<ASS_Track>

  /// Opens them; nothing stays open if it throws.
  init() throws(TextError) {
    let library = try check(ass_library_init(), "ass_library_init")
    kf_ass_silence(library)
    ass_set_extract_fonts(library, 0)
    guard let renderer = ass_renderer_init(library) else {
      ass_library_done(library)
      throw TextError("ass_renderer_init failed: memory is short")
    }
    guard let track = ass_new_track(library) else {
      ass_renderer_done(renderer)
      ass_library_done(library)
      throw TextError("ass_new_track failed: memory is short")
    }
    (self.library, self.renderer, self.track) = (library, renderer, track)
    ass_set_shaper(renderer, ASS_SHAPING_COMPLEX)
    ass_set_hinting(renderer, ASS_HINTING_NONE)
  }

  deinit {
    ass_free_track(track)
    ass_renderer_done(renderer)
    ass_library_done(library)
  }

  /// Sets the font that is used where no other one is asked for, and finds the others.
  func setFont(_ font: TextFont) {
    ass_set_fonts(
      renderer, font.path, font.name, Int32(ASS_FONTPROVIDER_FONTCONFIG.rawValue), nil, 0)
  }
}
