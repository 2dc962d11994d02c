const GREEK =
  'α alpha β beta γ gamma δ delta ε epsilon ζ zeta η eta θ theta ι iota κ kappa λ lambda μ mu ν nu ξ xi π pi ρ rho σ sigma τ tau υ upsilon φ phi χ chi ψ psi ω omega Γ Gamma Δ Delta Θ Theta Λ Lambda Ξ Xi Π Pi Σ Sigma Υ Upsilon Φ Phi Ψ Psi Ω Omega ϵ epsilon ϕ phi ϑ vartheta ϱ varrho ϖ varpi';
const OPERATORS =
  '× times · cdot ⋅ cdot ÷ div ± pm ∓ mp ≤ leq ≥ geq ≠ neq ≈ approx ≡ equiv ∼ sim ≅ cong ∝ propto ≪ ll ≫ gg → to ← leftarrow ↔ leftrightarrow ⇒ Rightarrow ⇐ Leftarrow ⇔ Leftrightarrow ↦ mapsto ∈ in ∉ notin ∋ ni ⊂ subset ⊃ supset ⊆ subseteq ⊇ supseteq ∪ cup ∩ cap ∅ emptyset ∀ forall ∃ exists ¬ neg ∧ wedge ∨ vee ∞ infty ∑ sum ∏ prod ∫ int ∬ iint ∭ iiint ∮ oint ∂ partial ∇ nabla … dots ⋯ cdots ⋮ vdots ⋱ ddots ∘ circ ⊕ oplus ⊗ otimes ⊥ perp ∥ parallel ∠ angle ⟨ langle ⟩ rangle ⌊ lfloor ⌋ rfloor ⌈ lceil ⌉ rceil ℏ hbar ℓ ell ℜ Re ℑ Im';

const TEX_NAMES: ReadonlyMap<string, string> = new Map([
  ...pairs(GREEK),
  ...pairs(OPERATORS),
  ['−', '-'],
  ['√', '\\sqrt{}'],
  ...[...'{}%&#$_'].map((char): [string, string] => [char, `\\${char}`]),
  // Invisible: function application, times, separator, plus.
  ...[...'\u2061\u2062\u2063\u2064'].map((char): [string, string] => [char, '']),
]);

function pairs(words: string): [string, string][] {
  const list = words.split(' ');
  return list.flatMap((char, n): [string, string][] => (n % 2 === 0 ? [[char, `\\${list[n + 1]}`]] : []));
}

/** What TeX calls an operator or letter of a formula. Those without a name are written as they are. */
export const texSymbol = (char: string): string => TEX_NAMES.get(char) ?? char;

/** Joins parts of a formula: a name such as `\alpha` must not run into the letter that follows. */
export function joinTex(parts: readonly string[]): string {
  let tex = '';
  for (const part of parts) {
    const runsOn = /\\[a-z]+$/i.test(tex.slice(-30)) && /^[a-z]/i.test(part);
    tex += runsOn ? ` ${part}` : part;
  }
  return tex;
}
