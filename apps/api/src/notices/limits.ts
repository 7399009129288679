/** Notices that are kept for a member: older ones go. */
export const NOTICES_KEPT_MAX = 100;
/** Notices are kept for so long. */
export const NOTICES_KEPT_DAYS = 90;
/** How often a member's pages hear of new notices while they keep coming. */
export const NOTICES_TOLD_EVERY_MS = 1_000;

/** Browsers of a member that notifications are sent to. */
export const SUBSCRIPTIONS_MAX = 20;
export const ENDPOINT_MAX = 1_024;
/** Notifications of all members that wait to be sent. What comes when there are as many is not sent. */
export const PUSHES_WAITING_MAX = 50_000;
/** The same for one browser, so that those whose service never answers do not fill the queue for all. */
export const PUSHES_OF_BROWSER_WAITING_MAX = 20;
/** Two notifications of one topic (the messages of one chat) are at least so far apart for a browser. */
export const PUSH_PACE_MS = 15_000;
/** How long a push service may take for all of it, and how much of its answer is read. */
export const PUSH_MS_MAX = 10_000;
export const PUSH_ANSWER_BYTES_MAX = 4_096;
/** Notifications that one server sends at once. */
export const PUSHES_AT_ONCE = 32;
/** A browser that nothing reached for so long is forgotten. */
export const SUBSCRIPTION_FAILING_DAYS = 7;
/** Code points of a message that a notification shows. */
export const PUSH_TEXT_MAX = 160;
