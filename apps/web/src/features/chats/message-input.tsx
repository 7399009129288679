import { countCharacters, MESSAGE_CHARACTERS_MAX } from '@app/domain';
import { clsx } from 'clsx';
import { SendHorizontal, WifiOff } from 'lucide-react';
import { useRef, useState, type KeyboardEvent } from 'react';
import type { ChatRoom } from '@/shared/realtime';
import { Button } from '@/shared/ui';
import { KEYS_HINT, lineTrouble, messageNote } from './message-note';

export interface MessageInputProps {
  room: ChatRoom;
  isConnected: boolean;
  isOnline: boolean;
  /** Texts offered while the box is empty; choosing one fills the box. */
  openers: readonly string[];
}

/**
 * Enter sends, Shift+Enter starts a new line. Blank messages are not sent; what is written without a connection waits
 * for the next one (rule chats-30).
 */
export function MessageInput({ room, isConnected, isOnline, openers }: MessageInputProps) {
  const box = useRef<HTMLTextAreaElement>(null);
  const [text, setText] = useState(room.draft);
  const change = (next: string) => {
    setText(next);
    room.keepDraft(next);
  };
  const characters = countCharacters(text);
  const left = MESSAGE_CHARACTERS_MAX - characters;
  const canSend = characters > 0 && left >= 0;
  const send = () => {
    if (canSend && room.send(text) !== undefined) change('');
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    send();
  };
  return (
    <div className="relative z-10 grid shrink-0 grid-cols-1 gap-2 border-t border-line bg-sky-950 px-2 pt-2 pb-[max(0.5rem,env(safe-area-inset-bottom))] @2xl:px-4">
      <LineTrouble isConnected={isConnected} isOnline={isOnline} />
      {text === '' && openers.length > 0 && (
        <Openers
          openers={openers}
          onChoose={(opener) => {
            change(opener);
            box.current?.focus();
          }}
        />
      )}
      <form
        className="flex items-end gap-1 rounded-lg border border-line bg-sky-800 p-1 transition-colors focus-within:border-nova"
        onSubmit={(event) => {
          event.preventDefault();
          send();
        }}
      >
        <label className="sr-only" htmlFor="chat-message">
          Message
        </label>
        <textarea
          ref={box}
          id="chat-message"
          dir="auto"
          rows={1}
          enterKeyHint="send"
          value={text}
          placeholder="Write a message…"
          aria-describedby="chat-message-note"
          onChange={(event) => {
            change(event.target.value);
            room.keyPressed();
          }}
          onKeyDown={onKeyDown}
          className="field-sizing-content max-h-32 min-h-11 flex-1 resize-none rounded-sm bg-transparent px-3 py-2.5 text-base text-ink outline-none placeholder:text-ink-faint sm:text-sm"
        />
        <Button
          type="submit"
          variant="primary"
          size="icon"
          className="size-11! rounded-md!"
          aria-label="Send"
          disabled={!canSend}
          icon={<SendHorizontal aria-hidden="true" className="size-5" />}
        />
      </form>
      <Note left={left} />
    </div>
  );
}

function LineTrouble({ isConnected, isOnline }: Pick<MessageInputProps, 'isConnected' | 'isOnline'>) {
  return (
    <output
      className={clsx(
        'text-sm text-hold',
        !isConnected && 'flex items-center gap-2',
        // At first, the connection takes a moment that is no trouble.
        isOnline && 'animate-late',
      )}
    >
      {!isConnected && <WifiOff aria-hidden="true" className="size-4 shrink-0" />}
      {!isConnected && <span>{lineTrouble(isOnline)}</span>}
    </output>
  );
}

interface OpenersProps {
  openers: readonly string[];
  onChoose: (opener: string) => void;
}

/** Ways to begin a chat in which nothing has been said. */
function Openers({ openers, onChoose }: OpenersProps) {
  return (
    <ul aria-label="Ways to begin" className="-mx-2 flex gap-2 overflow-x-auto px-2 pb-1 @2xl:flex-wrap">
      {openers.map((opener) => (
        <li key={opener} className="shrink-0">
          <button
            type="button"
            className="min-h-11 max-w-72 rounded-lg border border-line bg-sky-800 px-3.5 py-2 text-left text-sm text-ink-muted transition-colors hover:border-line-strong hover:text-ink sm:min-h-9"
            onClick={() => onChoose(opener)}
          >
            <span>{opener}</span>
          </button>
        </li>
      ))}
    </ul>
  );
}

/** @param left characters that the message may still take */
function Note({ left }: { left: number }) {
  const note = messageNote(left);
  return (
    <output
      id="chat-message-note"
      className={clsx(
        'px-1 text-xs',
        left < 0 ? 'text-loss' : 'text-ink-faint',
        note === KEYS_HINT && 'hidden @2xl:block pointer-coarse:hidden',
      )}
    >
      {note}
    </output>
  );
}
