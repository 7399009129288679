import { BellRing } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { useLocation } from 'react-router-dom';
import { useAuthFeatures } from '@/features/identity/use-security';
import { errorSentence, useCurrentUser } from '@/shared/api';
import { Button, Card, ErrorNote, Field, Skeleton, Switch, TextInput } from '@/shared/ui';
import { pushAbility } from './push-browser';
import {
  type PushChoices,
  type PushSettings,
  useChoosePush,
  usePushSettings,
  useTurnOffPush,
  useTurnOnPush,
} from './use-push';

const KINDS: readonly { kind: PushChoices['kinds'][number]; label: string; hint: string }[] = [
  { kind: 'chat_request', label: 'Chat Requests', hint: 'You have 2 minutes to accept one.' },
  { kind: 'chat_accepted', label: 'Acceptances', hint: 'A host accepted your request.' },
  { kind: 'message', label: 'Messages', hint: 'In your chats.' },
  { kind: 'call', label: 'Calls', hint: 'Somebody calls you in a chat.' },
  { kind: 'gift', label: 'Gifts', hint: 'Somebody sent you Nova.' },
];

/** What this browser tells the member while Nova is closed (rules notices-7, notices-8). Every change is saved at once. */
export function PushCard() {
  const { data, error, isFetching, refetch } = usePushSettings();
  const { hash } = useLocation();
  const place = useRef<HTMLElement>(null);
  const isAskedFor = hash === '#notifications' && data !== undefined;
  useEffect(() => {
    if (isAskedFor) place.current?.scrollIntoView();
  }, [isAskedFor]);
  return (
    <Card
      ref={place}
      id="notifications"
      className="mt-6 scroll-mt-20"
      title="Notifications"
      description="What Nova tells you while it is closed. Every change is saved at once."
    >
      {data === undefined && error === null && <Skeleton className="h-56" />}
      {data === undefined && error !== null && (
        <ErrorNote onRetry={() => void refetch()} retrying={isFetching}>
          {errorSentence(error, 'Your notification settings could not be loaded.')}
        </ErrorNote>
      )}
      {data !== undefined && (
        <div className="divide-y divide-line">
          <Here settings={data} />
          <Choices settings={data} />
        </div>
      )}
    </Card>
  );
}

const WHY_NOT = {
  unable: 'This browser cannot show notifications.',
  blocked: 'Notifications of this site are blocked. Allow them in your browser’s settings.',
  'install-first': 'On an iPhone or iPad, add Nova to the Home Screen first: Share, then Add to Home Screen.',
} as const;

function Here({ settings: { here, browsers } }: { settings: PushSettings }) {
  const { data: user } = useCurrentUser();
  const on = useTurnOnPush(user?.id ?? '');
  const off = useTurnOffPush();
  const ability = pushAbility();
  const others = browsers - (here ? 1 : 0);
  return (
    <div className="flex flex-wrap items-center justify-between gap-3 pb-4">
      <div className="min-w-0">
        <p className="text-sm font-medium text-ink">{here ? 'On in this browser' : 'Off in this browser'}</p>
        <p className="mt-0.5 text-sm text-ink-muted">
          {ability === 'able' || here ? sayOthers(others) : WHY_NOT[ability]}
        </p>
      </div>
      {here && (
        <Button pending={off.isPending} onClick={() => off.mutate()}>
          Turn Off
        </Button>
      )}
      {!here && ability === 'able' && (
        <Button
          variant="primary"
          icon={<BellRing aria-hidden="true" className="size-4" />}
          pending={on.isPending}
          pendingText="Please wait..."
          onClick={() => on.mutate()}
        >
          Turn On
        </Button>
      )}
    </div>
  );
}

function sayOthers(count: number): string {
  if (count === 0) return 'No other browser of yours gets them.';
  return count === 1 ? 'One other browser of yours gets them.' : `${count} other browsers of yours get them.`;
}

function Choices({ settings }: { settings: PushSettings }) {
  const { mutate } = useChoosePush();
  const { data: features } = useAuthFeatures();
  const { data: user } = useCurrentUser();
  const { kinds, showsText, mails, quietHours } = settings;
  const choose = (change: Partial<PushChoices>) => mutate({ kinds, showsText, mails, quietHours, ...change });
  return (
    <>
      {KINDS.map(({ kind, label, hint }) => (
        <Switch
          key={kind}
          label={label}
          hint={hint}
          checked={kinds.includes(kind)}
          onCheckedChange={(isOn) =>
            choose({ kinds: isOn ? [...kinds, kind] : kinds.filter((other) => other !== kind) })
          }
        />
      ))}
      <Switch
        label="Names and Texts"
        hint="Show on locked screens who wrote, and what."
        checked={showsText}
        onCheckedChange={(shown) => choose({ showsText: shown })}
      />
      {features?.mail === true && user?.emailVerified === true && (
        <Switch
          label="Mail for Chat Requests"
          hint="If you are away and no browser can tell you. One an hour at most."
          checked={mails}
          onCheckedChange={(isOn) => choose({ mails: isOn })}
        />
      )}
      <div>
        <Switch
          label="Quiet Hours"
          hint="No notifications in this time. They are in your notices afterwards."
          checked={quietHours !== null}
          onCheckedChange={(isOn) => choose({ quietHours: isOn ? newQuietHours() : null })}
        />
        {quietHours !== null && (
          <div className="flex flex-wrap gap-4 pb-3">
            <Clock
              label="From"
              minute={quietHours.from}
              onChange={(from) => choose({ quietHours: { ...quietHours, from } })}
            />
            <Clock
              label="Until"
              minute={quietHours.to}
              onChange={(to) => choose({ quietHours: { ...quietHours, to } })}
            />
            <p className="self-end pb-2.5 text-sm text-ink-muted">{quietHours.timeZone.replaceAll('_', ' ')}</p>
          </div>
        )}
      </div>
    </>
  );
}

const [EVENING, MORNING] = [22 * 60, 7 * 60];

/** In the time zone of this device. */
const newQuietHours = () => ({
  from: EVENING,
  to: MORNING,
  timeZone: new Intl.DateTimeFormat().resolvedOptions().timeZone,
});

function Clock({ label, minute, onChange }: { label: string; minute: number; onChange: (minute: number) => void }) {
  return (
    <Field label={label}>
      <TextInput
        type="time"
        required
        className="w-32 tabular-nums"
        value={clockOf(minute)}
        onChange={({ target }) => {
          const chosen = minuteOf(target.value);
          if (chosen !== undefined) onChange(chosen);
        }}
      />
    </Field>
  );
}

/** A minute of the day as an input of time has it: `22:05`. */
const clockOf = (minute: number): string =>
  `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`;

/** The minute of the day that an input of time has; undefined while it has none. */
function minuteOf(clock: string): number | undefined {
  const [, hours, minutes] = /^(\d\d):(\d\d)/.exec(clock) ?? [];
  return hours === undefined || minutes === undefined ? undefined : Number(hours) * 60 + Number(minutes);
}
