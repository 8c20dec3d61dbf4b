public import Frames
import Glibc

extension ColorDescription {
  /// Returns how these colours code one of graphics that were made for SDR in BT.709, such as subtitles; parts are 0 to 1.
  ///
  /// In SDR the numbers stay. In HDR the light of the colour on a display after BT.1886 is kept, and white is the
  /// reference white: 203 cd/m² in PQ, 75 % of the signal in HLG (BT.2408-5).
  public func coded(graphics: SIMD3<Double>) -> SIMD3<Double> {
    guard isHighDynamicRange else { return graphics }
    let map = RGBPrimaries(primaries).fromXYZ * RGBPrimaries.bt709.toXYZ
    let light = map.applied(to: (0..<3).map { pow(graphics[$0], 2.4) })
    var coded = SIMD3<Double>()
    for part in 0..<3 {
      let value = min(max(light[part], 0), 1)
      coded[part] =
        transfer == 16
        ? PQ.coded(value * ToneMap.white / ToneMap.largest) : HLG.coded(value * HLG.white)
    }
    return coded
  }
}
