/** A post of the feed; its picture is `files/post-NUMBER`, by its place in the list. */
export interface DemoPost {
  /** E-mail address. */
  readonly author: string;
  readonly kind: 'clip' | 'picture';
  readonly caption: string;
  readonly hashtags: readonly string[];
  /** How many of the others have seen it, from 0 to 1. */
  readonly reach: number;
}

type Row = readonly [author: string, kind: 'clip' | 'picture', reach: number, caption: string, ...hashtags: string[]];

/** The oldest first. */
const ROWS: readonly Row[] = [
  [
    'viktor',
    'clip',
    0.2,
    'Night train, 02:14. Eleven passengers, nine asleep, one reading, one waving.',
    'trains',
    'night',
  ],
  [
    'oskar',
    'picture',
    0.16,
    'Three hundred parts, and every one of them thinks it is the important one.',
    'craft',
    'time',
  ],
  ['rosa', 'picture', 0.13, 'My garden at seven. The marigolds are showing off again.', 'garden'],
  [
    'kwame',
    'picture',
    0.33,
    'Today’s lesson: seven mangoes, three children, and what to do with the last one.',
    'school',
    'fractions',
  ],
  ['zofia', 'clip', 0.36, 'Night shift ended. Nobody was hurt. The sky said thank you.', 'aurora', 'north'],
  ['hugo', 'picture', 0.23, 'Plank nineteen of forty. The neighbours have stopped asking.', 'wood', 'boats'],
  [
    'layla',
    'picture',
    0.33,
    'ثلاث ساعات من الضوء القديم. Three hours of old light, and I would stay for three more.',
    'astronomy',
    'نجوم',
  ],
  [
    'grace',
    'picture',
    0.26,
    'She took seven years to flower. I have dinner plans shorter than that.',
    'orchid',
    'botany',
  ],
  ['mateo', 'picture', 0.29, 'Four in the morning, minus eleven, worth it.', 'andes', 'sunrise'],
  ['quentin', 'picture', 0.39, 'Batch one of today. Batch zero did not survive the baker.', 'bread', 'sourdough'],
  ['noor', 'picture', 0.2, 'Span four is in place. I have hugged a crane operator.', 'bridges', 'engineering'],
  ['emi', 'picture', 0.45, 'Eight hours of broth, seven minutes of egg, four minutes of silence.', 'ramen', 'slowfood'],
  ['dmitri', 'picture', 0.2, 'A 1962 pressing. It crackles exactly where it should.', 'vinyl', 'music'],
  ['tane', 'clip', 0.39, 'The kelp is coming back. I may have cried into my mask.', 'kelp', 'ocean'],
  ['seoyeon', 'clip', 0.29, 'Rain study number twelve. The cats gave it two paws.', 'rain', 'ink'],
  ['chiara', 'picture', 0.42, 'A quarter to six. Nobody posed.', 'harbour', 'sunrise', '35mm'],
  [
    'wilhelmina',
    'picture',
    0.23,
    '“I shall wait by the mill until you are brave or I am old.” 1788, half a page. The other half is out there somewhere.',
    'archive',
    'letters',
  ],
  ['ben', 'picture', 0.16, 'Test ride after the repair. Forty kilometres, no clicking.', 'cycling'],
  ['ines', 'picture', 0.26, 'Bar five finally sounds like a question.', 'cello', 'rehearsal'],
  ['farid', 'clip', 0.26, 'Day sixteen. The horizon and I are on first-name terms.', 'sea', 'crossing'],
  [
    'yusuf',
    'picture',
    0.29,
    'Forty-one blues. None of them is the one. Number seventeen is close.',
    'ceramics',
    'blue',
  ],
  ['priya', 'picture', 0.23, 'Shipped at 3 a.m. The city clapped, or it was the rain.', 'gamedev', 'night'],
  ['xiomara', 'clip', 0.42, 'Street party. Sixty pairs of left feet, all mine.', 'salsa', 'fiesta'],
  ['ada', 'picture', 0.33, 'Recorded forty minutes of ropes and one very talkative gull.', 'harbours', 'sound'],
  ['viktor', 'picture', 0.13, 'Move forty-one arrived by post. It is worse than I feared.', 'chess'],
  ['emi', 'picture', 0.26, 'Plum tea for whoever comes in out of the rain.', 'tea', 'kitchen'],
  ['mateo', 'picture', 0.33, 'The lake without a name. I promised not to say where.', 'andes', 'quiet'],
  [
    'kwame',
    'picture',
    0.36,
    'The library on wheels has its first ninety books. The wheels are next.',
    'library',
    'volta',
  ],
  ['zofia', 'picture', 0.2, 'First ice. We listened to it sing for an hour.', 'winter', 'ice'],
  ['tane', 'picture', 0.2, 'Low tide at four. You came!', 'bay', 'friends'],
  ['layla', 'picture', 0.29, 'The road to the observatory, just before the stars are switched on.', 'desert', 'dusk'],
  [
    'rosa',
    'picture',
    0.23,
    'I played the whole song. Nobody left. My granddaughter cried, possibly for the right reasons.',
    'trumpet',
    'family',
  ],
  ['grace', 'clip', 0.29, 'Went out to close the greenhouse. Stayed until midnight.', 'aurora', 'uppsala'],
  ['quentin', 'picture', 0.2, 'Ten in the morning: the baker’s evening.', 'coffee', 'bread'],
  ['priya', 'picture', 0.2, 'Level forty-one has a sky now. Made of napkin.', 'gamedev', 'stars'],
  ['chiara', 'picture', 0.26, 'No harbour today. The window did the work.', 'rain', '35mm'],
  ['farid', 'picture', 0.23, 'Ten pages became sixty. Mozart is to blame.', 'reading', 'letters'],
  ['hugo', 'picture', 0.33, 'Plank forty. She floats, on paper and in my head.', 'boats', 'done'],
];

export const DEMO_POSTS: readonly DemoPost[] = ROWS.map(([author, kind, reach, caption, ...hashtags]) => ({
  author: `${author}@nova.example`,
  kind,
  reach,
  caption,
  hashtags,
}));
