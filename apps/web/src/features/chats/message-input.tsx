import { countCharacters, MESSAGE_CHARACTERS_MAX } from '@app/domain';
import { RotateCcw, SendHorizontal, X } from 'lucide-react';
import { useState, type KeyboardEvent } from 'react';
import type { ChatRoom } from '@/shared/realtime';
import { Button } from '@/shared/ui';
import type { ShownMessage } from './floating';
import { messageNote } from './message-note';

export interface MessageInputProps {
  room: ChatRoom;
  isConnected: boolean;
  messages: readonly ShownMessage[];
}

/**
 * Enter sends, Shift+Enter starts a new line. Blank messages are not sent, and nothing is sent while disconnected (rule
 * chats-30).
 */
export function MessageInput({ room, isConnected, messages }: MessageInputProps) {
  const [text, setText] = useState('');
  const characters = countCharacters(text);
  const left = MESSAGE_CHARACTERS_MAX - characters;
  const canSend = isConnected && characters > 0 && left >= 0;
  const send = () => {
    if (canSend && room.send(text) !== undefined) setText('');
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    send();
  };
  return (
    <div className="grid grid-cols-1 gap-2">
      <FailedMessages room={room} messages={messages} />
      <form
        className="flex items-end gap-2 rounded-lg border border-line bg-sky-800 p-2 transition-colors focus-within:border-nova"
        onSubmit={(event) => {
          event.preventDefault();
          send();
        }}
      >
        <label className="sr-only" htmlFor="chat-message">
          Message
        </label>
        <textarea
          id="chat-message"
          dir="auto"
          rows={1}
          value={text}
          placeholder={isConnected ? 'Write a message…' : 'Connecting…'}
          aria-describedby="chat-message-note"
          onChange={(event) => {
            setText(event.target.value);
            room.keyPressed();
          }}
          onKeyDown={onKeyDown}
          className="field-sizing-content max-h-40 min-h-11 flex-1 resize-none rounded-sm bg-transparent outline-none px-2 py-2.5 text-base text-ink placeholder:text-ink-faint sm:text-sm"
        />
        <Button
          type="submit"
          variant="primary"
          size="icon"
          aria-label="Send"
          disabled={!canSend}
          icon={<SendHorizontal aria-hidden="true" className="size-4" />}
        />
      </form>
      <output id="chat-message-note" className={left < 0 ? 'text-xs text-loss' : 'text-xs text-ink-faint'}>
        {messageNote(isConnected, left)}
      </output>
    </div>
  );
}

function FailedMessages({ room, messages }: Pick<MessageInputProps, 'room' | 'messages'>) {
  const failed = messages.filter(({ state }) => state === 'failed');
  if (failed.length === 0) return null;
  return (
    <ul className="grid gap-1">
      {failed.map(({ key, text, failure, clientMessageId }) => (
        <li
          key={key}
          role="alert"
          className="flex items-center gap-2 rounded-sm border border-loss/40 px-3 py-1 text-sm"
        >
          <p className="min-w-0 flex-1">
            <span className="block truncate text-ink">{text}</span>
            <span className="text-xs text-loss">{failure ?? 'Not sent.'}</span>
          </p>
          <Button
            size="icon"
            variant="ghost"
            aria-label="Send again"
            icon={<RotateCcw aria-hidden="true" className="size-4" />}
            onClick={() => clientMessageId !== null && room.retry(clientMessageId)}
          />
          <Button
            size="icon"
            variant="ghost"
            aria-label="Discard"
            icon={<X aria-hidden="true" className="size-4" />}
            onClick={() => clientMessageId !== null && room.discard(clientMessageId)}
          />
        </li>
      ))}
    </ul>
  );
}
