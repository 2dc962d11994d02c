/** One page, whose elements with an `id` are what selectors are to find. */
export const SELECTOR_PAGE = `<!doctype html><html lang=de><head><title></title><link id=css rel=stylesheet href="data:text/css,"></head><body>
<fieldset id=f1 disabled><legend id=l1><input id=i1><fieldset id=f2><input id=i2></fieldset></legend>
<legend id=l2><input id=i3></legend><input id=i4><fieldset id=f3><legend id=l3><input id=i5></legend><button id=b1></button></fieldset>
<select id=s1></select><textarea id=t1></textarea><output id=out1></output><object id=obj1></object></fieldset>
<fieldset id=f4><div id=d0><fieldset id=f5 disabled><div id=d1><legend id=l5><input id=i6></legend></div></fieldset></div><input id=i7 disabled></fieldset>
<form id=form1><input id=r1 type=radio name=g checked><input id=r2 type=RADIO name=g checked><input id=r3 type=radio name=g>
<input id=r4 type=radio name=h checked><input id=r5 type=radio checked><input id=r6 type=radio checked></form>
<input id=r7 type=radio name=g checked><input id=r8 type=radio name=h form=form1 checked><input id=r9 type=radio name=g form=none checked>
<input id=c1 type=checkbox checked><input id=c2 type=checkbox><input id=c3 type=text checked>
<select id=s2><option id=o2 disabled>1<option id=o3>2<option id=o4>3</select>
<select id=s3><option id=o5 selected>1<option id=o6 selected>2</select>
<select id=s4 multiple><option id=o7 selected>1<option id=o8 selected>2<option id=o9>3</select>
<select id=s5 size=3><option id=o10>1<option id=o11>2</select>
<select id=s6><optgroup id=g1 disabled><option id=o12>1</optgroup><optgroup id=g2><option id=o13>2</optgroup></select>
<datalist id=dl><option id=o14>1<option id=o15 selected>2</datalist>
<input id=x1 required><input id=x2 type=hidden required><input id=x3 type=checkbox required><input id=x4 type=submit required>
<input id=x5 type=color required><input id=x6 type=file><input id=x7 type=file required><input id=x8 type=range><input id=x9 type=nonsense required>
<select id=s7 required><option id=o16>1</select><textarea id=t2 required></textarea><button id=b2 required></button>
<input id=w1 readonly><input id=w2 type=checkbox readonly><input id=w3 type=date><input id=w4 type=color><input id=w5 disabled><input id=w6 type=hidden>
<textarea id=t3 readonly></textarea><textarea id=t4 disabled></textarea><textarea id=t5></textarea>
<div id=e1 contenteditable><p id=e2><span id=e3 contenteditable=false><b id=e4>x</b></span><input id=e5 type=checkbox></p></div>
<div id=e6 contenteditable=TRUE></div><div id=e7 contenteditable=plaintext-only></div><div id=e8 contenteditable=nonsense></div>
<a id=a1 href="/x">x</a><a id=a2>x</a><map id=m1><area id=a3 href="/y"><area id=a4></map><a id=a5 href></a>
<svg id=v1><a id=a6 href="/z"></a><a id=a7 xlink:href="/z"></a><linearGradient id=lg></linearGradient></svg>
<p id=p1></p><p id=p2> </p><p id=p3><!-- c --></p><p id=p4><br id=br1></p><p id=p5>x</p><template id=tp><i id=ti></i></template>
<div id=n1 class="k item"><div id=n2 class=k><div id=n3></div></div></div><div id=n4 lang=en-GB><span id=n5></span></div>
<ul id=u1><li id=li1 class=k>1</li><li id=li2>2</li><li id=li3 class=k>3</li><li id=li4 class=k>4</li></ul>
<input id=z1 name=Q TYPE=Text><p id=z2 data-a="A b"></p></body></html>`;

/** What `querySelectorAll` finds there in Chromium: ids, or names of elements without one. */
export const SELECTORS: readonly (readonly [selector: string, found: string])[] = [
  [':disabled', 'f1 i3 i4 f3 i5 b1 s1 t1 f5 i6 i7 o2 g1 o12 w5 t4'],
  [':DISABLED', 'f1 i3 i4 f3 i5 b1 s1 t1 f5 i6 i7 o2 g1 o12 w5 t4'],
  [
    ':enabled',
    'i1 f2 i2 f4 r1 r2 r3 r4 r5 r6 r7 r8 r9 c1 c2 c3 s2 o3 o4 s3 o5 o6 s4 o7 o8 o9 s5 o10 o11 s6 g2 o13 o14 o15 x1 x2 x3 x4 x5 x6 x7 x8 x9 s7 o16 t2 b2 w1 w2 w3 w4 w6 t3 t5 e5 z1',
  ],
  ['fieldset:not(:disabled)', 'f2 f4'],
  [
    ':is(input, button):enabled',
    'i1 i2 r1 r2 r3 r4 r5 r6 r7 r8 r9 c1 c2 c3 x1 x2 x3 x4 x5 x6 x7 x8 x9 b2 w1 w2 w3 w4 w6 e5 z1',
  ],
  [':required', 'x1 x3 x7 x9 s7 t2'],
  [
    ':not(button):optional',
    'i1 i2 i3 i4 i5 s1 t1 i6 i7 r1 r2 r3 r4 r5 r6 r7 r8 r9 c1 c2 c3 s2 s3 s4 s5 s6 x2 x4 x5 x6 x8 w1 w2 w3 w4 w5 w6 t3 t4 t5 e5 z1',
  ],
  [':read-write', 'i1 i2 c3 x1 x9 t2 w3 t5 e1 e2 e6 e7 z1'],
  [
    'input:read-only',
    'i3 i4 i5 i6 i7 r1 r2 r3 r4 r5 r6 r7 r8 r9 c1 c2 x2 x3 x4 x5 x6 x7 x8 w1 w2 w4 w5 w6 e5',
  ],
  ['textarea:read-only', 't1 t3 t4'],
  ['svg *:read-only', ''],
  ['div:read-only', 'd0 d1 e8 n1 n2 n3 n4'],
  [':checked', 'r2 r5 r6 r8 r9 c1 o3 o6 o7 o8 o13 o15 o16'],
  [':link', 'a1 a3 a5 a6 a7'],
  [':any-link', 'a1 a3 a5 a6 a7'],
  [':any-link:not(:visited)', 'a1 a3 a5 a6 a7'],
  [':visited', ''],
  [':hover', ''],
  ['p:empty', 'p1 p3 z2'],
  ['template:empty', 'tp'],
  ['output:empty', 'out1'],
  [':scope', 'html'],
  [':scope > body', 'body'],
  [':root', 'html'],
  [':root > body > #p5', 'p5'],
  ['body :scope', ''],
  [':not(:scope) > title', 'title'],
  [':has(> title)', 'head'],
  ['div:has(> .k)', 'n1'],
  [':HAS(> .k)', 'body n1 u1'],
  ['li:has(+ .k)', 'li2 li3'],
  ['li:has(~ .k)', 'li1 li2 li3'],
  ['div:has(div div)', 'n1'],
  ['div:has(div)', 'd0 n1 n2'],
  ['div:has(> div > div)', 'n1'],
  ['div:has(div > div)', 'n1'],
  ['div:has(body div)', ''],
  ['div:has(.k, title)', 'n1'],
  ['div:has(> div, p span)', 'e1 n1 n2'],
  ['div:not(:has(*))', 'e6 e7 e8 n3'],
  ['ul:has(li:nth-child(4))', 'u1'],
  ['li:has(+ li + li)', 'li1 li2'],
  ['fieldset:has(> legend > input)', 'f1 f3'],
  [':has(:disabled)', 'html body f1 l2 f3 l3 f4 d0 f5 d1 l5 s2 s6 g1'],
  ['body:has(fieldset:disabled) > ul', 'u1'],
  ['div:is(:has(> .k))', 'n1'],
  ['li:nth-child(2 of .k)', 'li3'],
  ['li:nth-last-child(-n+2)', 'li3 li4'],
  ['li:nth-of-type(3)', 'li3'],
  ['p:only-of-type', 'e2'],
  [':lang(en)', 'n4 n5'],
  ['[type=radio]', 'r1 r2 r3 r4 r5 r6 r7 r8 r9'],
  ['[type=text]', 'c3 z1'],
  ['[name=q]', ''],
  ['[name=q i]', 'z1'],
  ['[data-a~=b]', 'z2'],
  ['[data-a^=""]', ''],
  ['[lang|=en]', 'n4'],
  ['linearGradient', 'lg'],
  ['svg a', 'a6 a7'],
  ['template *', ''],
  ['P#p1', 'p1'],
  ['.K', ''],
  ['p:is(#p1, #p2):empty', 'p1'],
  ['p ~ ul', 'u1'],
  ['\\70#p1', 'p1'],
];
