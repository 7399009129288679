/**
 * Letters and signs that pass for a plain letter and that the tables of confusable characters (UTS #39) do not have:
 * letters that Unicode names after it, with hooks, tails and strokes, turned, reversed or as small capitals; those of
 * Coptic; and what posters draw for it.
 */
const PASS_FOR: Readonly<Record<string, string>> = {
  a: 'ȺɐᴀᶏⱥⱯɑΛΔ∆ⲀⲁⲆⲇ∀▲△⍲₳@4',
  b: 'ƀƁƂƃɃɓʙᴃᵬᶀꞖꞗ',
  c: 'ƇƈȻȼɕᴄↄꜾꜿꞒꞓꞔꟄⲤⲥ¢₵',
  d: 'ĐđƊƋƌȡɖɗᴅᵭᶁᶑꝹꝺꟇꟈ',
  e: 'ƎƐǝɆɇɘɛɜɝɞʚᴇᴈᶒᶓᶔⱸⱻꞫꬳꬴⲈⲉ€3',
  f: 'ƑƒᵮᶂꜰꝻꝼꞘꞙꟻꬵ',
  g: 'ƓǤǥɠɡɢʛᵷᵹᶃꝽꝾꝿꞠꞡꞬꟐꟑꬶ',
  h: 'ĦħɥɦʜʮʯⱧⱨꞍꞕꞪ',
  i: 'ıƗɨɪᴉᵻᶖꞮꟷⲒⲓ',
  j: 'ȷɈɉɟʄʝᴊꞲ',
  k: 'ƘƙʞᴋᶄⱩⱪꝀꝁꝂꝃꝄꝅꞢꞣꞰⲔⲕ',
  l: 'ŁłƚȴȽɫɬɭʟᴌᶅⱠⱡⱢꝆꝇꝈꝉꞀꞁꞎꞭꬷꬸꬹ',
  m: 'ƜɯɰɱᴍᴟᵯᶆⱮꟺꟽꬺⲘⲙ',
  n: 'ƝƞȠȵɲɳɴᴎᵰᶇꞐꞑꞤꞥꬻŊŋⲚⲛИи₦',
  o: 'ØøƆƟɔɵᴏᴐᴑᴒᴓᶗⱺꝊꝋꝌꝍꬿⲞⲟ∅⌀⦰○◯●◉◌◍◎◦⊕⊖⊗⊘⊙⊚⊛⊜⊝⨀⨁⨂⚪⚫⚬⭕⭘🔴🔵🟠🟡🟢🟣🟤🌑🌕',
  p: 'ƤƥᴘᵱᵽᶈⱣꝐꝑꝒꝓꝔꝕꟼⲢⲣ₱',
  q: 'ɊɋʠꝖꝗꝘꝙꞯ',
  r: 'ɌɍɹɺɻɼɽɾɿʀʁᴙᴚᵲᵳᶉⱤⱹꞂꞃꞦꞧꭆꭉꭋꭌꭨ',
  s: 'ȿʂᵴᶊẜẝⱾꜱꞄꞅꞨꞩꟅꟉꟊ$5§',
  t: 'ŦŧƫƬƭƮȶȾʇʈᴛᵵⱦꞆꞇꞱⲦⲧ7†₮',
  u: 'ᴜᴝᵾᶙꞸꞹꭎꭒ',
  v: 'ƲɅʋʌᴠᶌⱱⱴꝞꝟ∇▼▽√✓✔',
  w: 'ʍᴡⱲⱳ',
  x: 'ᶍꭖꭗꭘꭙⲬⲭ',
  y: 'ƳƴɎɏʎʏỾỿꭚⲨⲩ¥',
  z: 'ƵƶȤȥɀʐʑᴢᵶᶎⱫⱬⱿꟆ',
};

/** The plain letter that a character passes for, by the character. */
export const PASSES_FOR: ReadonlyMap<string, string> = new Map(
  Object.entries(PASS_FOR).flatMap(([letter, characters]) =>
    Array.from(characters, (character) => [character, letter] as const),
  ),
);
