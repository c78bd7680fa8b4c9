/** The LaTeX commands of characters. LaTeX, KaTeX and MathJax all know them. */

/** Each character is followed by the name of its command. */
const named = `
α alpha β beta γ gamma δ delta ε varepsilon ϵ epsilon ζ zeta η eta θ theta ϑ vartheta ι iota κ kappa ϰ varkappa λ lambda μ mu µ mu
ν nu ξ xi π pi ϖ varpi ρ rho ϱ varrho σ sigma ς varsigma τ tau υ upsilon φ varphi ϕ phi χ chi ψ psi ω omega
Γ Gamma Δ Delta ∆ Delta Θ Theta Λ Lambda Ξ Xi Π Pi Σ Sigma Υ Upsilon Φ Phi Ψ Psi Ω Omega Ω Omega ϝ digamma
× times ÷ div ± pm ∓ mp · cdot ⋅ cdot ∙ bullet • bullet ∗ ast * ast ⋆ star ∘ circ ⊕ oplus ⊖ ominus ⊗ otimes ⊘ oslash ⊙ odot
⊎ uplus ⊓ sqcap ⊔ sqcup ∧ wedge ∨ vee ∩ cap ∪ cup ∖ setminus ≀ wr † dagger ‡ ddagger ⋄ diamond ∔ dotplus ⊼ barwedge ⊻ veebar
< lt > gt ≤ leq ≥ geq ⩽ leqslant ⩾ geqslant ≦ leqq ≧ geqq ≪ ll ≫ gg ≠ neq ≡ equiv ≢ not\\equiv ≈ approx ≉ not\\approx ∼ sim ~ sim
≁ nsim ≃ simeq ≄ not\\simeq ≅ cong ≇ ncong ≐ doteq ≔ coloneqq ≜ triangleq ∝ propto ≺ prec ≻ succ ≼ preceq ≽ succeq ≮ nless
≯ ngtr ≰ nleq ≱ ngeq ≲ lesssim ≳ gtrsim ≍ asymp ⋈ bowtie ∈ in ∉ notin ∋ ni ⊂ subset ⊃ supset ⊆ subseteq ⊇ supseteq
⊄ not\\subset ⊅ not\\supset ⊈ nsubseteq ⊉ nsupseteq ⊊ subsetneq ⊋ supsetneq ⊏ sqsubset ⊐ sqsupset ⊑ sqsubseteq ⊒ sqsupseteq
⊢ vdash ⊣ dashv ⊨ models ⊬ nvdash ⊥ perp ⟂ perp ∥ parallel ∦ nparallel ∣ mid ∤ nmid ≬ between ⋔ pitchfork
∑ sum ∏ prod ∐ coprod ∫ int ∬ iint ∭ iiint ∮ oint ∯ oiint ∰ oiiint ⋂ bigcap ⋃ bigcup ⋀ bigwedge ⋁ bigvee ⨁ bigoplus ⨂ bigotimes
⨀ bigodot ⨄ biguplus ⨆ bigsqcup
← leftarrow → rightarrow ↑ uparrow ↓ downarrow ↔ leftrightarrow ↕ updownarrow ⇐ Leftarrow ⇒ Rightarrow ⇑ Uparrow ⇓ Downarrow
⇔ Leftrightarrow ⇕ Updownarrow ↦ mapsto ⟵ longleftarrow ⟶ longrightarrow ⟷ longleftrightarrow ⟸ Longleftarrow ⟹ Longrightarrow
⟺ Longleftrightarrow ⟼ longmapsto ↗ nearrow ↘ searrow ↙ swarrow ↖ nwarrow ↩ hookleftarrow ↪ hookrightarrow ↼ leftharpoonup
↽ leftharpoondown ⇀ rightharpoonup ⇁ rightharpoondown ⇌ rightleftharpoons ⇋ leftrightharpoons ↛ nrightarrow ↚ nleftarrow
⇄ rightleftarrows ⇆ leftrightarrows ⇏ nRightarrow ⇎ nLeftrightarrow ↝ leadsto ↠ twoheadrightarrow ↣ rightarrowtail
∞ infty ∂ partial ∇ nabla ∀ forall ∃ exists ∄ nexists ∅ emptyset ⌀ varnothing ¬ neg ∠ angle ∡ measuredangle ∢ sphericalangle
△ triangle ▽ bigtriangledown □ square ■ blacksquare ◊ lozenge ∴ therefore ∵ because √ surd ℏ hbar ℓ ell ℘ wp ℜ Re ℑ Im ℵ aleph
ℶ beth ℷ gimel ℸ daleth ℧ mho ð eth ∁ complement ⊤ top ♠ spadesuit ♡ heartsuit ♢ diamondsuit ♣ clubsuit ♭ flat ♮ natural ♯ sharp
… ldots ⋯ cdots ⋮ vdots ⋱ ddots § S ¶ P £ pounds ✓ checkmark \\ backslash ^ wedge \` backprime ‵ backprime | vert ‖ Vert ∥ parallel
⟨ langle ⟩ rangle 〈 langle 〉 rangle ⌈ lceil ⌉ rceil ⌊ lfloor ⌋ rfloor ⟦ llbracket ⟧ rrbracket ⟮ lgroup ⟯ rgroup ⎰ lmoustache
⎱ rmoustache ⊲ vartriangleleft ⊳ vartriangleright ⊴ trianglelefteq ⊵ trianglerighteq ı imath ȷ jmath`;

const written: ReadonlyMap<string, string> = new Map([
  ...pairs(named).map(([character, name]): [string, string] => [character, `\\${name} `]),
  ...Array.from('{}$%&#_', (character): [string, string] => [character, `\\${character}`]),
  ['−', '-'],
  ['–', '-'],
  ['‐', '-'],
  ['—', '-'],
  ['∶', ':'],
  ['⁄', '/'],
  ['∕', '/'],
  ['′', "'"],
  ['’', "'"],
  ['″', "''"],
  ['‴', "'''"],
  ['°', '{}^{\\circ }'],
  ['\u2003', '\\quad '],
  ['\u2009', '\\, '],
]);

export const functionNames: ReadonlySet<string> = new Set(
  'arccos arcsin arctan arg cos cosh cot coth csc deg det dim exp gcd hom inf ker lg lim liminf limsup ln log max min Pr sec sin sinh sup tan tanh'.split(
    ' ',
  ),
);

/** Delimiters that grow with what they enclose. */
const growing = new Set('()[]{}|‖⟨⟩〈〉⌈⌉⌊⌋/\\↑↓↕⇑⇓⇕<>');
/** Relations that look like delimiters. */
const bars: ReadonlyMap<string, string> = new Map([
  ['∣', '|'],
  ['∥', '‖'],
]);

const accents: ReadonlyMap<string, string> = new Map(
  pairs(
    '\u0302 hat ^ hat ˆ hat \u0303 tilde ~ tilde ˜ tilde \u0304 bar ¯ bar ‾ overline \u0305 overline \u033f overline \u0307 dot ˙ dot \u0308 ddot ¨ ddot \u20db dddot \u0301 acute ´ acute \u0300 grave ` grave \u0306 breve ˘ breve \u030c check ˇ check \u030a mathring \u20d7 vec → vec \u20d6 overleftarrow ← overleftarrow \u20e1 overleftrightarrow ↔ overleftrightarrow \u0332 underline _ underline ⏞ overbrace ⏟ underbrace',
  ),
);

/** The command of one character, or the character. Commands of letters end with a space. */
export function symbol(character: string): string {
  return written.get(character) ?? character;
}

export function hasCommand(character: string): boolean {
  return written.has(character);
}

/** Null if the delimiter cannot grow. The empty text is an invisible delimiter. */
export function growingDelimiter(character: string): string | null {
  if (character === '') return '.';
  const delimiter = bars.get(character) ?? character;
  return growing.has(delimiter) ? symbol(delimiter) : null;
}

/** The command that puts the character above or below its base. */
export function accentCommand(character: string): string | null {
  const name = accents.get(character);
  return name === undefined ? null : `\\${name}`;
}

function pairs(list: string): [string, string][] {
  const words = list.trim().split(/\s+/);
  return Array.from({ length: words.length >> 1 }, (_, at) => [words[2 * at] ?? '', words[2 * at + 1] ?? '']);
}
