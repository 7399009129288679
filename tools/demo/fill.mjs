import { hash, randomInt } from 'node:crypto';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import pLimit from 'p-limit';
import { Client, Refused } from './client.mjs';
import { CONVERSATIONS, GIFTS, QUESTS, UPVOTES, WALL_COMMENTS } from './meetings.mjs';
import { ADMIN, MEMBERS } from './members.mjs';
import { POSTS } from './posts.mjs';

const FILES = new URL('files/', import.meta.url);
const DAY_MS = 24 * 60 * 60 * 1000;
/**
 * How many calls run at once: as many as the password hashes and file preparations that the server allows one network.
 */
const AT_ONCE = 3;
const LOOKS_AT_ONCE = 6;
/** How many cards each member has unlocked, and how many others they follow. */
const UNLOCKED = 3;
const FOLLOWED = 4;
const SCORES =
  'empathy openness conscientiousness agreeableness extraversion emotionalStability assertiveness activeListening adaptability authenticity respectfulness curiosity patience optimism humility';
const CURRENT_TRAITS =
  'Ambitious Calm Caring Confident Curious Friendly Generous Honest Humble Independent Loyal Outgoing Patient Practical Thoughtful Playful';
const IDEAL_TRAITS =
  'Authentic Balanced Brave Compassionate Creative Decisive Forgiving Grateful Inspiring Joyful Kind Mindful Patient Peaceful Resilient Wise';
const TRAITS = 7;

export const emailOf = (name) => `${name}@nova.example`;

/**
 * Fills an installation through its public API. Existing data stays and is not made again, wherever an earlier run
 * ended: accounts are found by their addresses, payments by the keys of their calls, and everything else by a look-up
 * first.
 */
export class DemoFiller {
  #clients = new Map();
  #ids = new Map();
  #options;
  #members;
  #cookieFile;

  /**
   * @param {{ url: string, publicUrl: string, word: string, dataDir: string, say: (line: string) => void, memberCount:
   * number }} options `memberCount`: only this many members, from the first, and what happens among them
   */
  constructor(options) {
    this.#options = options;
    this.#members = MEMBERS.slice(0, options.memberCount);
    this.#cookieFile = path.join(options.dataDir, 'secrets', 'demo-cookies.json');
  }

  /** @param {{ password: string, pin: string }} signIn of all members */
  async signEverybodyIn(signIn) {
    const { url, word } = this.#options;
    const kept = existsSync(this.#cookieFile) ? readJson(this.#cookieFile) : {};
    await each(AT_ONCE, [ADMIN, ...this.#members], async ({ name, displayName }) => {
      const client = new Client({ url, word, cookies: kept[name] });
      const user = await enter(client, { ...signIn, email: emailOf(name), displayName });
      this.#clients.set(name, client);
      this.#ids.set(name, user.id);
    });
    const cookies = Object.fromEntries([...this.#clients].map(([name, client]) => [name, client.cookies]));
    writeFileSync(this.#cookieFile, JSON.stringify(cookies), { mode: 0o600 });
    await this.#promoteAdmin();
  }

  async fill() {
    await this.#bringNova();
    for (const [index, [from, to, amount]] of GIFTS.entries()) {
      if (!this.#has(from, to)) continue;
      await this.#unlessRefused(() =>
        this.#of(from).post('/api/gifts/send', { recipientId: this.#ids.get(to), amount }, `demo:gift:${index}`),
      );
    }
    await each(LOOKS_AT_ONCE, this.#members, (member) => this.#describe(member));
    // Quests first: the chats count for them.
    await this.#unlessRefused(() => this.#makeQuests());
    for (const [index, conversation] of CONVERSATIONS.entries()) {
      if (!this.#has(conversation.initiator, conversation.host)) continue;
      await this.#unlessRefused(() => this.#talk(conversation, `demo:chat:${index}`));
    }
    await this.#unlessRefused(() => this.#registerApplication());
    await each(AT_ONCE, this.#members, (member) => this.#unlessRefused(() => this.#showPicture(member)));
    await each(AT_ONCE, this.#members, (member) => this.#unlessRefused(() => this.#showCard(member)));
    await this.#meet();
    await this.#publishPosts();
  }

  /** Leaves nothing behind except what the demo shows. */
  async signEverybodyOut() {
    await each(LOOKS_AT_ONCE, [...this.#clients.values()], (client) => client.post('/api/auth/signout'));
    rmSync(this.#cookieFile, { force: true });
  }

  #of = (name) => this.#clients.get(name);
  #has = (...names) => names.every((name) => this.#clients.has(name));

  /** Uses the word that the server stores for the owner of `ADMIN_EMAIL`. */
  async #promoteAdmin() {
    const admin = this.#of(ADMIN.name);
    const { user } = await admin.get('/api/auth/user');
    const file = path.join(this.#options.dataDir, 'secrets', 'first-admin-word');
    if (user.awaitsAdminWord && existsSync(file)) {
      await admin.post('/api/auth/admin-word', { word: readFileSync(file, 'utf8').trim() });
    } else if (!user.isAdmin) {
      this.#options.say(
        '  The demo has no admin: ADMIN_EMAIL names somebody else. Its quests and grants are left out.',
      );
    }
  }

  async #bringNova() {
    await each(AT_ONCE, this.#members, async ({ name, bought }) => {
      if (bought) await this.#unlessRefused(() => buy(this.#of(name), bought));
    });
    for (const { name, granted } of this.#members) {
      if (!granted) continue;
      const grants = `/api/admin/users/${this.#ids.get(name)}/add-nova`;
      await this.#unlessRefused(() => this.#of(ADMIN.name).post(grants, { amount: granted }, `demo:grant:${name}`));
    }
  }

  async #describe(member) {
    const { name, mood, status, occupation, ambitions, relationshipStatus, bio, location, website, chatPrice } = member;
    const client = this.#of(name);
    await this.#unlessRefused(async () => {
      await client.post('/api/users/update-profile', { mood, status, occupation, ambitions, relationshipStatus });
      await client.send('PATCH', '/api/profile', { body: { bio, location, website } });
      if (chatPrice) await client.send('PATCH', '/api/profile/settings', { body: { minimumChatPrice: chatPrice } });
      await client.post('/api/resonance', resonanceOf(member));
    });
  }

  async #makeQuests() {
    const admin = this.#of(ADMIN.name);
    const { quests } = await admin.get('/api/admin/quests?limit=100');
    const startsAt = Date.now();
    for (const [index, { title, description, rule, target, reward, days }] of QUESTS.entries()) {
      if (quests.some((quest) => quest.title === title)) continue;
      const quest = {
        title,
        description,
        reward,
        startTime: new Date(startsAt).toISOString(),
        endTime: new Date(startsAt + days * DAY_MS).toISOString(),
        rules: { type: rule, target },
      };
      await admin.post('/api/admin/quests', quest, `demo:quest:${index}:${startsAt}`);
    }
  }

  async #talk({ initiator, host, lines, initiatorRates, hostRates }, key) {
    const sides = { initiator: this.#of(initiator), host: this.#of(host) };
    const { chatId } = await sides.initiator.post('/api/chats/initiate', { hostId: this.#ids.get(host) }, key);
    const chat = `/api/chats/${chatId}`;
    const look = () => sides.initiator.get(chat);
    if ((await look()).acceptedAt === null) await sides.host.post(`${chat}/accept`);
    if ((await look()).endedAt === null) {
      for (const [index, [side, message]] of lines.entries()) {
        await sides[side].post(`${chat}/messages`, { message, clientMessageId: `demo-${index}` });
      }
    }
    const { initiatorRating, hostRating } = await look();
    for (const [side, rating, words] of [
      ['initiator', initiatorRating, initiatorRates],
      ['host', hostRating, hostRates],
    ]) {
      if (rating === null) await sides[side].post(`${chat}/rate`, { ...words, follow: false }, `${key}:rate`);
    }
  }

  /** A public application of a member, with which the page `/oauth/demo` works at once (rule oauth-20). */
  async #registerApplication() {
    const developer = this.#of('ada');
    const name = 'Nova Pocket';
    const mine = await developer.get('/api/oauth/my-applications');
    const known = (mine.applications ?? mine).find((application) => application.name === name);
    const { clientId } =
      known ??
      (await developer.post('/api/oauth/register-app', {
        name,
        description: 'Keeps an eye on your Nova, and pays at the till.',
        redirectUris: [
          'https://your-app.example/callback',
          'http://localhost:4000/callback',
          `${this.#options.publicUrl}/oauth/demo`,
        ].filter((uri) => /^(?:https:|http:\/\/localhost[:/])/.test(uri)),
        scopes: ['openid', 'profile', 'email', 'nova', 'karma', 'influence'],
        isPublic: true,
      }));
    await developer.post(`/api/oauth/application/${clientId}/wallet/fund`, { amount: 500 }, 'demo:application-wallet');
  }

  async #showPicture({ name }) {
    const client = this.#of(name);
    const { user } = await client.get('/api/auth/user');
    if (user.profileImageUrl !== null) return;
    const form = new FormData();
    form.set('thumbnail', new Blob([await fileOf(`picture-${name}.jpg`)], { type: 'image/jpeg' }), 'picture.jpg');
    await client.send('POST', '/api/profile/thumbnail', { body: form });
  }

  async #showCard({ name, card }) {
    const client = this.#of(name);
    const { profileCardContentId } = await client.get('/api/profile');
    if (profileCardContentId !== null) return;
    const content = await this.#publish(client, { shelf: 'discovery', file: `card-${name}`, ...card });
    await client.send('PUT', '/api/profile/card-content', { body: { contentId: content.id } });
  }

  /** Content with this caption is the same, from an earlier run. */
  async #publish(client, { shelf, file, kind, caption, hashtags }) {
    const mine = await client.get(shelf === 'discovery' ? '/api/content/my-discovery' : '/api/content/my-scroll-feed');
    const known = (mine.content ?? mine.items ?? mine).find((content) => content.caption === caption);
    if (known) return known;
    const picture = await fileOf(`${file}.webp`);
    const media = kind === 'clip' ? await fileOf(`${file}.mp4`) : picture;
    const contentType = kind === 'clip' ? 'video/mp4' : 'image/webp';
    const ticket = await client.post('/api/content/upload-url', { size: media.length, contentType });
    await client.send('PUT', ticket.uploadURL, { body: media, type: contentType });
    if (kind === 'clip' && ticket.posterURL) {
      await client.send('PUT', ticket.posterURL, { body: picture, type: 'image/webp' });
    }
    return client.post(`/api/content/${shelf}`, { mediaUrl: ticket.mediaUrl, caption, hashtags });
  }

  /** Makes follows, unlocks, gifts and wall comments. */
  async #meet() {
    const names = this.#members.map(({ name }) => name);
    await each(LOOKS_AT_ONCE, names, async (name) => {
      const random = new SeededRandom(`${name} meets`);
      const others = names.filter((other) => other !== name);
      for (const other of random.some(others, FOLLOWED)) {
        await this.#unlessRefused(() => this.#of(name).post(`/api/users/${this.#ids.get(other)}/follow`));
      }
      for (const other of random.some(others, UNLOCKED)) await this.#upvote(name, other, 1);
    });
    await each(
      LOOKS_AT_ONCE,
      UPVOTES.filter(([from, to]) => this.#has(from, to)),
      ([from, to, times]) => this.#upvote(from, to, times),
    );
    for (const [from, to, comment] of WALL_COMMENTS) {
      if (!this.#has(from, to)) continue;
      const wall = `/api/profile/${this.#ids.get(to)}/wall`;
      await this.#unlessRefused(() => this.#of(from).post(wall, { comment }, `demo:wall:${to}`));
    }
  }

  /** Unlocks a card, and gifts the rest of the times. */
  async #upvote(from, to, times) {
    for (let time = 0; time < times; time++) {
      const body = { profileId: this.#ids.get(to) };
      await this.#unlessRefused(() => this.#of(from).post('/api/discovery/upvote', body, `demo:upvote:${to}:${time}`));
    }
  }

  async #publishPosts() {
    const published = [];
    await each(
      AT_ONCE,
      [...POSTS.entries()].filter(([, { author }]) => this.#has(author)),
      ([number, { author, ...post }]) =>
        this.#unlessRefused(async () => {
          const { id } = await this.#publish(this.#of(author), {
            shelf: 'scroll-feed',
            file: `post-${number}`,
            ...post,
          });
          published.push({ id, number, author, reach: post.reach });
        }),
    );
    const looks = published.flatMap(({ id, number, author, reach }) => {
      const others = this.#members.map(({ name }) => name).filter((name) => name !== author);
      const viewers = new SeededRandom(`post ${number}`).some(others, Math.round(others.length * reach));
      return viewers.map((viewer) => ({ viewer, postId: id, seed: `${viewer} looks at ${number}` }));
    });
    await each(LOOKS_AT_ONCE, looks, (look) => this.#unlessRefused(() => this.#look(look)));
  }

  /** One member looks at a post, and reacts at random. */
  async #look({ viewer, postId, seed }) {
    const client = this.#of(viewer);
    const random = new SeededRandom(seed);
    const [stays, likes, rates, shares] = [0.7, 0.55, 0.3, 0.08].map((share) => random.next() < share);
    const rating = random.whole(78, 100);
    const engage = (eventType) => client.post('/api/events', { postId, eventType });
    await engage('impression');
    await engage('qualified_view');
    if (stays) await engage('complete_view');
    if (likes) {
      await client.post('/api/scroll', { postId });
      await client.post(`/api/content/${postId}/like`);
      await engage('like');
    }
    if (rates) {
      await client.post(`/api/content/${postId}/rate`, { rating });
      await engage('rate');
    }
    if (shares) await engage('share');
  }

  /** Members' own changes may prevent one step: it is left out, and the rest is made. */
  async #unlessRefused(work) {
    try {
      await work();
    } catch (error) {
      if (!(error instanceof Refused) || error.status >= 500) throw error;
      this.#options.say(`  left out: ${error.message}`);
    }
  }
}

/** Uses the earlier session, else a new account, else a new session of the existing account. */
async function enter(client, { email, displayName, password, pin }) {
  const consent = { tcConsent: true, tcVersion: '1.0' };
  try {
    const { user } = await client.get('/api/auth/user');
    if (user.email === email) return user;
  } catch (error) {
    if (!(error instanceof Refused) || error.status !== 401) throw error;
  }
  try {
    return (await client.post('/api/auth/register', { displayName, email, password, pin, ...consent })).user;
  } catch (error) {
    if (error.code !== 'EMAIL_TAKEN') throw error;
  }
  return (await client.post('/api/auth/signin', { email, password, ...consent })).user;
}

/** Pays by a test card of the stand-in for Stripe: once, even if an earlier run did only half of it. */
async function buy(client, amount) {
  const { transactions } = await client.get('/api/nova/transactions?type=purchase&limit=1');
  if (transactions.length > 0) return;
  const intent = await client.post('/api/nova/create-payment-intent', { amount }, 'demo:purchase');
  const { paymentIntentId, clientSecret } = intent;
  const card = new URLSearchParams({ payment_method: 'pm_card_visa', client_secret: clientSecret }).toString();
  await client
    .send('POST', `/sandbox/stripe/v1/payment_intents/${paymentIntentId}/confirm`, {
      body: card,
      type: 'application/x-www-form-urlencoded',
      key: `demo:confirm:${paymentIntentId}`,
    })
    .catch((error) => {
      // It is paid already.
      if (!(error instanceof Refused) || error.status !== 400) throw error;
    });
  await client.post('/api/nova/confirm-purchase', { paymentIntentId });
}

/** Everybody a little different, nobody at the ends of the scales. */
function resonanceOf({ name, horizon }) {
  const random = new SeededRandom(`${name} resonance`);
  return {
    horizon,
    ...Object.fromEntries(SCORES.split(' ').map((score) => [score, random.whole(300, 960) / 10])),
    currentTraits: random.some(CURRENT_TRAITS.split(' '), TRAITS),
    idealTraits: random.some(IDEAL_TRAITS.split(' '), TRAITS),
  };
}

/** Processes all items, `atOnce` at a time. After a failure no further item begins. */
async function each(atOnce, items, work) {
  const limit = pLimit(atOnce);
  try {
    await limit.map(items, (item) => work(item));
  } finally {
    limit.clearQueue();
  }
}

const fileOf = (name) => readFile(new URL(name, FILES));
const readJson = (file) => JSON.parse(readFileSync(file, 'utf8'));

/** Without letters and digits that are easily confused. */
const PASSWORD_LETTERS = 'abcdefghjkmnpqrstuvwxyz23456789';
const randomText = (letters, length) =>
  Array.from({ length }, () => letters.charAt(randomInt(letters.length))).join('');

/** The password and PIN of all members: random for each installation, because others may reach it too. */
export function signInOf(dataDir) {
  const file = path.join(dataDir, 'secrets', 'demo-sign-in');
  if (!existsSync(file)) {
    const password = Array.from({ length: 3 }, () => randomText(PASSWORD_LETTERS, 4)).join('-');
    writeFileSync(file, `${password} ${randomText('0123456789', 6)}\n`, { mode: 0o600 });
  }
  const [password = '', pin = ''] = readFileSync(file, 'utf8').trim().split(' ');
  return { password, pin };
}

/**
 * Numbers that look random and are the same for the same seed, so that a later run repeats what an earlier one began.
 */
class SeededRandom {
  #state;

  constructor(seed) {
    this.#state = Number.parseInt(hash('sha256', seed, 'hex').slice(0, 8), 16);
  }

  /** From 0 to below 1. (Mulberry32.) */
  next() {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  }

  /** A whole number from `low` to `high`, both included. */
  whole(low, high) {
    return Math.floor(low + (high + 1 - low) * this.next());
  }

  /** `count` of the choices, each once, in their order. */
  some(choices, count) {
    const drawn = choices.map((choice, index) => ({ choice, index, draw: this.next() }));
    return drawn
      .toSorted((a, b) => a.draw - b.draw)
      .slice(0, count)
      .toSorted((a, b) => a.index - b.index)
      .map(({ choice }) => choice);
  }
}
