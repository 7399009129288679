/** Of the words of a quest, in code points. No specification names a limit. */
export const QUEST_TITLE_MAX = 100;
export const QUEST_DESCRIPTION_MAX = 500;

/** So many quests at most are listed for members at a time: those that end last. */
export const LISTED_QUESTS_MAX = 100;

/** S1 §5 Quest creation, word for word. */
export const QUEST_MESSAGES = {
  missing: 'Please fill in all required fields.',
  reward: 'Reward must be a positive number.',
} as const;
