/** A line of a chat: who says what. */
export type DemoLine = readonly [side: 'initiator' | 'host', text: string];

export interface DemoRating {
  /** 1 to 100. */
  readonly rating: number;
  readonly comment: string;
  readonly explanation?: string;
}

/** A finished chat between two demo members. */
export interface DemoConversation {
  /** E-mail addresses. */
  readonly initiator: string;
  readonly host: string;
  readonly lines: readonly DemoLine[];
  readonly initiatorRates: DemoRating;
  readonly hostRates: DemoRating;
}

/** What demo members ask for a chat, in US dollars. */
export const DEMO_PRICES: readonly (readonly [email: string, dollars: number])[] = [
  ['chiara@nova.example', 2.5],
  ['dmitri@nova.example', 0.5],
  ['emi@nova.example', 1.5],
];

export const DEMO_CONVERSATIONS: readonly DemoConversation[] = [
  {
    initiator: 'ada@nova.example',
    host: 'chiara@nova.example',
    lines: [
      ['initiator', 'Hi Chiara! I saw your photos of the old harbour. Did you take them at sunrise?'],
      ['host', 'Hi Ada, yes, at a quarter to six. The fishermen laughed at me and my tripod.'],
      ['initiator', 'The light on the ropes is wonderful. Which lens do you carry when you walk that early?'],
      ['host', 'Just one small 35 mm. The less I carry, the more I look around.'],
      ['initiator', 'I always bring three and then use one. Maybe I should learn from that.'],
      ['host', 'Try a week with one only. You will miss a picture, and find ten others.'],
      ['initiator', 'Deal. I start on Monday and send you the first good one.'],
      ['host', 'And I tell you honestly whether it is one!'],
      ['initiator', 'That is exactly what I hoped for.'],
      ['host', 'Then good light to you, Ada.'],
    ],
    initiatorRates: { rating: 96, comment: 'Warm, attentive and full of good advice about seeing.' },
    hostRates: { rating: 91, comment: 'Ada asks the questions that make one think again. Lovely.' },
  },
  {
    initiator: 'ben@nova.example',
    host: 'emi@nova.example',
    lines: [
      ['initiator', 'Hello Emi, I would like to cook ramen from scratch. Where should a beginner start?'],
      ['host', 'Hello Ben! With the broth, on a day when you have nothing else to do at all.'],
      ['initiator', 'How long are we talking about? My longest dish so far took forty minutes.'],
      ['host', 'Eight hours for pork bones. Chicken is kinder: three hours, and it forgives a lot.'],
      ['initiator', 'Chicken then. And the noodles, do I dare to make them myself?'],
      ['host', 'Buy them the first time. Change one thing at a time, and you know what you tasted.'],
      ['initiator', 'Sensible. What do I put on top that is hard to ruin?'],
      ['host', 'A soft egg, spring onion, a sheet of nori. Seven minutes for the egg, then ice water.'],
      ['initiator', 'I am writing this down. Thank you, that sounds possible.'],
      ['host', 'It is! Tell me how the broth turned out.'],
    ],
    initiatorRates: { rating: 88, comment: 'Clear, patient answers. I could start cooking right away.' },
    hostRates: { rating: 84, comment: 'Friendly and curious, and he really listens. A good chat.' },
  },
  {
    initiator: 'farid@nova.example',
    host: 'ada@nova.example',
    lines: [
      ['initiator', 'Hi Ada, do you know a good way to keep a reading habit alive in a busy month?'],
      ['host', 'Hi Farid. Ten pages a day, no more. On good days you cheat and read on.'],
      ['initiator', 'And which books work in pieces of ten pages? Mine want a whole evening.'],
      ['host', 'Letters and diaries. They were written in pieces, so they can be read in pieces.'],
      ['initiator', 'Letters, I never thought of that. Whose would you begin with?'],
      ['host', 'Van Gogh to his brother. You will look at wheat fields differently.'],
      ['initiator', 'I had hoped for something a little more cheerful, to be honest.'],
      ['host', 'Then Mozart’s letters. He jokes in every second line.'],
      ['initiator', 'That I will try. Thanks for the two ideas.'],
      ['host', 'With pleasure. Ten pages!'],
    ],
    initiatorRates: {
      rating: 72,
      comment: 'Nice ideas, although I had expected a little more time.',
      explanation: 'The answers were kind but rather short for me.',
    },
    hostRates: { rating: 80, comment: 'A pleasant talk about books, short and to the point.' },
  },
];
