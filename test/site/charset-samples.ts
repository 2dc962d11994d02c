/** The same page body in many charsets, as bytes that another encoder (Python's) made. */
export const CHARSET_SAMPLES: Readonly<Record<string, { readonly text: string; readonly hex: string }>> = {
  'windows-1252': { text: 'Grüße – naïve “café” €', hex: '4772fcdf652096206e61ef76652093636166e9942080' },
  'iso-8859-2': { text: 'Příliš žluťoučký kůň', hex: '50f8ed6c69b920be6c75bb6f75e86bfd206bf9f2' },
  'windows-1251': { text: 'Съешь ещё этих булок', hex: 'd1fae5f8fc20e5f9b820fdf2e8f520e1f3ebeeea' },
  'koi8-r': { text: 'Съешь ещё этих булок', hex: 'f3dfc5dbd820c5dda320dcd4c9c820c2d5cccfcb' },
  shift_jis: { text: 'こんにちは世界、テスト', hex: '82b182f182c982bf82cd90a28a458141836583588367' },
  'euc-jp': { text: 'こんにちは世界、テスト', hex: 'a4b3a4f3a4cba4c1a4cfc0a4b3a6a1a2a5c6a5b9a5c8' },
  'iso-2022-jp': { text: 'こんにちは世界', hex: '1b244224332473244b2441244f402433261b2842' },
  gbk: { text: '你好，世界', hex: 'c4e3bac3a3accac0bde7' },
  gb18030: { text: '你好，世界', hex: 'c4e3bac3a3accac0bde7' },
  big5: { text: '你好，世界', hex: 'a741a66ea141a540acc9' },
  'euc-kr': { text: '안녕하세요 세계', hex: 'bec8b3e7c7cfbcbcbfe420bcbcb0e8' },
  'utf-8': { text: 'Grüße, 世界 🌍', hex: '4772c3bcc39f652c20e4b896e7958c20f09f8c8d' },
  'utf-16le': { text: 'Grüße, 世界 🌍', hex: '47007200fc00df0065002c002000164e4c7520003cd80ddf' },
  'utf-16be': { text: 'Grüße, 世界 🌍', hex: '0047007200fc00df0065002c00204e16754c0020d83cdf0d' },
};
