const KEY = 'nova.drafts';
/** The chats that were written in last are kept. */
const CHATS_MAX = 20;

interface Kept {
  readonly memberId: string;
  readonly texts: readonly (readonly [chatId: string, text: string])[];
}

/** What a member has typed and not sent, by chat: this tab keeps it over a reload, until they sign out. */
export class Drafts {
  private readonly texts: Map<string, string>;

  constructor(private readonly memberId: string) {
    const kept = read();
    this.texts = new Map(kept?.memberId === memberId ? kept.texts : []);
  }

  of(chatId: string): string {
    return this.texts.get(chatId) ?? '';
  }

  keep(chatId: string, text: string): void {
    this.texts.delete(chatId);
    if (text !== '') this.texts.set(chatId, text);
    const kept: Kept = { memberId: this.memberId, texts: [...this.texts].slice(-CHATS_MAX) };
    try {
      sessionStorage.setItem(KEY, JSON.stringify(kept));
    } catch {
      // Storage is full or forbidden: the drafts then last as long as the page.
    }
  }
}

/** For the moment in which the member signs out. */
export function forgetDrafts(): void {
  try {
    sessionStorage.removeItem(KEY);
  } catch {
    // Where storage is forbidden, nothing was kept.
  }
}

function read(): Kept | null {
  try {
    return JSON.parse(sessionStorage.getItem(KEY) ?? 'null') as Kept | null;
  } catch {
    return null;
  }
}
