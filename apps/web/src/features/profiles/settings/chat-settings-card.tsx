import { MINIMUM_CHAT_PRICE_FLOOR, MINIMUM_CHAT_PRICE_STEP, NOVA_PER_DOLLAR } from '@app/domain';
import { useState } from 'react';
import { usePushOffer } from '@/features/notices/push/use-push';
import { sayAmount, useCurrentUser } from '@/shared/api';
import { useSounds } from '@/shared/sounds';
import { Card, Field, Switch, TextInput, toast } from '@/shared/ui';
import type { ChatSettings } from '../profile-types';
import { useChangeSettings } from '../use-profile';
import { readChatPrice } from './chat-price';

/** How the member can be reached, and at what price (rule profiles-4). Every change is saved at once. */
export function ChatSettingsCard({ settings }: { settings: ChatSettings }) {
  const { mutate } = useChangeSettings();
  const { data: user } = useCurrentUser();
  const offer = usePushOffer(user?.id ?? '');
  const allowChats = (allowDirectChats: boolean) => {
    mutate({ allowDirectChats });
    if (allowDirectChats && offer) {
      const description = 'Hear of chat requests while Nova is closed: you have 2 minutes to accept one.';
      toast({ title: 'Direct chats are on', description, action: offer });
    }
  };
  const [hasSounds, changeSounds] = useSounds();
  return (
    <Card title="Chat Settings" description="Every change is saved at once.">
      <div className="divide-y divide-line">
        <Switch
          label="Online Status"
          hint="Show others that you are here while you are connected."
          checked={settings.isOnline}
          onCheckedChange={(isOnline) => mutate({ isOnline })}
        />
        <Switch
          label="Direct Chats"
          hint="Let others ask you for a paid chat."
          checked={settings.allowDirectChats}
          onCheckedChange={allowChats}
        />
        <Switch
          label="Sounds"
          hint="Hear messages and calls on this device."
          checked={hasSounds}
          onCheckedChange={changeSounds}
        />
        <ChatPriceField
          // Remounts when another tab or the server changes the price.
          key={settings.minimumChatPrice}
          price={settings.minimumChatPrice}
          onSave={(minimumChatPrice) => mutate({ minimumChatPrice })}
        />
      </div>
    </Card>
  );
}

interface ChatPriceFieldProps {
  /** US dollars. */
  price: number;
  onSave: (price: number) => void;
}

/** Applied when the focus leaves the box (rule profiles-5). */
function ChatPriceField({ price, onSave }: ChatPriceFieldProps) {
  const [text, setText] = useState(price.toFixed(2));
  const [complaint, setComplaint] = useState<string>();
  const apply = () => {
    const read = readChatPrice(text);
    setComplaint('complaint' in read ? read.complaint : undefined);
    if ('complaint' in read) return;
    setText(read.price.toFixed(2));
    if (read.price !== price) onSave(read.price);
  };
  return (
    <Field
      className="pt-4"
      label="Minimum Chat Price (USD)"
      hint={`A chat with you costs ${sayAmount(price * NOVA_PER_DOLLAR)}. At least $${MINIMUM_CHAT_PRICE_FLOOR.toFixed(2)}, in steps of $${MINIMUM_CHAT_PRICE_STEP.toFixed(2)}.`}
      error={complaint}
    >
      <TextInput
        inputMode="decimal"
        autoComplete="off"
        className="max-w-40 tabular-nums"
        value={text}
        onChange={(event) => setText(event.target.value)}
        onBlur={apply}
        onKeyDown={(event) => event.key === 'Enter' && event.currentTarget.blur()}
      />
    </Field>
  );
}
