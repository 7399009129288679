import { isolated, isShownByDefault, REPORT_MAX } from '@app/domain';
import { Ban, EllipsisVertical, Flag, MessageCircle, Star, Triangle, UserMinus, UserPlus } from 'lucide-react';
import { DropdownMenu } from 'radix-ui';
import { type ReactNode, useRef, useState } from 'react';
import { formatCount, sayAmount } from '@/shared/api';
import {
  Button,
  buttonClasses,
  cappedAt,
  Dialog,
  Field,
  NovaMark,
  Spinner,
  StayOpen,
  Textarea,
  toast,
  usePaidPress,
} from '@/shared/ui';
import { useCardDeck } from './card-deck';
import { firstFace } from './card-faces';
import { CardMedia } from './card-media';
import { UPVOTE_NOVA } from './card-prices';
import type { ProfileCard } from './card-types';
import { moodOf } from './moods';
import { RequestsForMe } from './requests-for-me';
import { useUpvote } from './use-card-actions';
import { useReportMember } from './use-discovery';
import { useChangeRelation, useRelation } from './use-relation';

export interface CardFrontProps {
  profile: ProfileCard;
  isUnlocked: boolean;
  isAutoplay: boolean;
  isFacing: boolean;
  /** The chat that the viewer has open with this member. */
  openChatId: string | null;
}

/**
 * The front of a card: media, triangle, online dot, rating and name; on the owner's card, waiting requests (rule
 * discovery-4).
 */
export function CardFront({ profile, isUnlocked, isAutoplay, isFacing, openChatId }: CardFrontProps) {
  const deck = useCardDeck();
  const { displayName, isOwn } = profile;
  return (
    <div className="absolute inset-0 overflow-hidden rounded-lg border border-line bg-sky-800">
      <CardMedia profile={profile} isAutoplay={isAutoplay} isFacing={isFacing} />
      <div className="pointer-events-none absolute inset-x-0 bottom-0 h-36 bg-linear-to-t from-sky-950 via-sky-950/70 to-transparent" />
      {(isOwn || isUnlocked) && (
        <button
          type="button"
          data-card-opener
          aria-label={isOwn ? 'Edit my card' : `Open the profile of ${displayName}`}
          onClick={() => deck.turn(profile.id, firstFace(profile))}
          className="absolute inset-0 rounded-lg focus-visible:-outline-offset-4"
        />
      )}
      <RatingBadge profile={profile} />
      {!isOwn && (
        <div className="absolute top-2 right-2 z-1 flex gap-1 max-[37.5rem]:flex-col-reverse">
          {openChatId !== null && (
            <Button
              size="icon"
              className="rounded-full! border-nova/60 bg-sky-950/70!"
              aria-label={`Open chat with ${displayName}`}
              title="Open chat"
              onClick={() => deck.openChat(openChatId, displayName)}
            >
              <MessageCircle aria-hidden="true" className="size-4 text-nova" />
            </Button>
          )}
          <MemberMenu profile={profile} />
        </div>
      )}
      <div className="pointer-events-none absolute inset-x-0 bottom-0 grid grid-cols-1 gap-2 p-3 *:pointer-events-auto">
        {isOwn && <RequestsForMe />}
        {/* On a phone, the name takes the whole width, and the triangle stands above it. */}
        <div className="pointer-events-none! flex items-end gap-2 max-[37.5rem]:flex-col-reverse">
          <NameLine profile={profile} />
          {!isOwn && <UpvoteButton profile={profile} isUnlocked={isUnlocked} />}
        </div>
      </div>
    </div>
  );
}

function RatingBadge({ profile: { rating, ratingCount } }: { profile: ProfileCard }) {
  const isUnrated = isShownByDefault(rating, ratingCount);
  return (
    <p className="pointer-events-none absolute top-3 left-3 flex min-h-6 items-center gap-1 rounded-full bg-sky-950/75 px-2 text-xs font-semibold text-ink tabular-nums">
      <Star aria-hidden="true" className="size-3 fill-current text-nova" />
      <span className="sr-only">{isUnrated ? 'Not rated yet: ' : 'Rating '}</span>
      {isUnrated ? 'New' : rating.toFixed(2)}
    </p>
  );
}

function NameLine({ profile }: { profile: ProfileCard }) {
  const { displayName, isOnline, isOwn, mood, status, occupation } = profile;
  const { meaning, dot } = moodOf(mood);
  const words = status ?? occupation;
  return (
    <div className="min-w-0 flex-1 self-center max-[37.5rem]:w-full">
      <h2 title={displayName} className="flex items-center gap-1.5 text-base font-semibold text-ink">
        <span
          aria-hidden="true"
          title={isOnline ? 'Online' : 'Offline'}
          className={
            isOnline
              ? 'size-2.5 shrink-0 rounded-full bg-gain ring-2 ring-gain/30'
              : 'size-2.5 shrink-0 rounded-full border-2 border-ink-faint'
          }
        />
        <bdi className="truncate">{displayName}</bdi>
        <span className="sr-only">{isOnline ? '(online)' : '(offline)'}</span>
      </h2>
      <p className="flex items-center gap-1.5 text-xs text-ink-muted">
        <span
          aria-hidden="true"
          title={`Mood: ${meaning}`}
          className={`mx-px size-2 shrink-0 rounded-full forced-color-adjust-none ${dot}`}
        />
        <span className="sr-only">Mood: {meaning}. </span>
        <bdi className="truncate">{isOwn ? (words ?? 'This is you') : (words ?? meaning)}</bdi>
      </p>
    </div>
  );
}

interface UpvoteButtonProps {
  profile: ProfileCard;
  isUnlocked: boolean;
}

/** The triangle: unlocks a card for 50 Nova, and gives 50 more each time after that (rule discovery-12). */
function UpvoteButton({ profile, isUnlocked }: UpvoteButtonProps) {
  const deck = useCardDeck();
  const upvote = useUpvote(profile.id, (answer) => deck.upvoted(profile.id, { ...answer, wasUnlocked: isUnlocked }));
  const price = sayAmount(UPVOTE_NOVA);
  const control = usePaidPress({
    buys: `${isUnlocked ? 'upvote' : 'unlock'} ${profile.id}`,
    onPay: (press) => !upvote.isPending && upvote.mutate(press),
  });
  return (
    <button
      {...control}
      type="button"
      // A native tooltip: every card of the grid has one, and the grid must scroll at 60 frames a second.
      title={isUnlocked ? `Gift ${price}` : `Unlock this profile for ${price}`}
      aria-label={
        isUnlocked ? `Upvote ${profile.displayName} with ${price}` : `Unlock ${profile.displayName} for ${price}`
      }
      aria-busy={upvote.isPending || undefined}
      aria-disabled={upvote.isPending || undefined}
      className="pointer-events-auto z-1 grid size-12 shrink-0 place-content-center justify-items-center gap-0.5 rounded-md border border-nova/50 bg-sky-950/80 text-nova transition-colors hover:bg-nova hover:text-on-nova"
    >
      {upvote.isPending ? (
        <Spinner className="size-5" />
      ) : (
        <Triangle className={isUnlocked ? 'size-4 fill-current' : 'size-4'} />
      )}
      <span aria-hidden="true" className="flex items-center gap-0.5 text-xs leading-none font-semibold tabular-nums">
        <NovaMark className="size-2 text-current!" />
        {UPVOTE_NOVA}
      </span>
    </button>
  );
}

const buttonLook = buttonClasses({
  variant: 'ghost',
  size: 'icon',
  className: 'rounded-full! bg-sky-950/70 text-ink! hover:bg-sky-950!',
});

/** Follow, block, report. Every card has the button, so the menu is created only when it is first opened. */
function MemberMenu({ profile }: { profile: ProfileCard }) {
  const [isAsked, setAsked] = useState(false);
  if (isAsked) return <OpenedMenu profile={profile} />;
  return (
    <button
      type="button"
      aria-label={`More about ${profile.displayName}`}
      aria-haspopup="menu"
      aria-expanded={false}
      onClick={() => setAsked(true)}
      className={buttonLook}
    >
      <EllipsisVertical aria-hidden="true" className="size-4" />
    </button>
  );
}

function OpenedMenu({ profile }: { profile: ProfileCard }) {
  const [isOpen, setOpen] = useState(true);
  const [isReporting, setReporting] = useState(false);
  const isReportChosen = useRef(false);
  const { data: relation } = useRelation(profile.id, isOpen);
  const change = useChangeRelation();
  const set = (call: 'follow' | 'block', isOn: boolean) => () =>
    change.mutate({ memberId: profile.id, call, method: isOn ? 'DELETE' : 'POST' });
  const following = relation?.following === true;
  const blocked = relation?.blocked === true;
  return (
    <>
      <DropdownMenu.Root open={isOpen} onOpenChange={setOpen}>
        <DropdownMenu.Trigger aria-label={`More about ${profile.displayName}`} className={buttonLook}>
          <EllipsisVertical aria-hidden="true" className="size-4" />
        </DropdownMenu.Trigger>
        <DropdownMenu.Portal>
          <DropdownMenu.Content
            align="end"
            sideOffset={4}
            // Open the dialog only now: if it opened before the menu returned the focus, it would lose it again.
            onCloseAutoFocus={() => {
              if (isReportChosen.current) setReporting(true);
              isReportChosen.current = false;
            }}
            className="z-30 min-w-44 animate-appear rounded-md border border-line bg-sky-700 p-1 shadow-raised"
          >
            <Item onSelect={set('follow', following)} disabled={relation === undefined}>
              {following ? <UserMinus className="size-4" /> : <UserPlus className="size-4" />}
              <span>{following ? 'Unfollow' : 'Follow'}</span>
            </Item>
            <Item onSelect={set('block', blocked)} disabled={relation === undefined}>
              <Ban className="size-4" />
              <span>{blocked ? 'Unblock' : 'Block'}</span>
            </Item>
            <Item
              onSelect={() => {
                isReportChosen.current = true;
              }}
            >
              <Flag className="size-4" />
              Report
            </Item>
          </DropdownMenu.Content>
        </DropdownMenu.Portal>
      </DropdownMenu.Root>
      {isReporting && <ReportDialog profile={profile} onClose={() => setReporting(false)} />}
    </>
  );
}

function Item({
  children,
  onSelect,
  disabled = false,
}: {
  children: ReactNode;
  onSelect: () => void;
  disabled?: boolean;
}) {
  return (
    <DropdownMenu.Item
      onSelect={onSelect}
      disabled={disabled}
      className="flex min-h-11 cursor-default items-center gap-2 rounded-sm px-3 text-sm text-ink outline-none select-none data-disabled:opacity-50 data-highlighted:bg-sky-800 sm:min-h-9"
    >
      {children}
    </DropdownMenu.Item>
  );
}

/** Sends a report to the admins, in the member's own words. */
function ReportDialog({ profile, onClose }: { profile: ProfileCard; onClose: () => void }) {
  const report = useReportMember();
  const [text, setText] = useState('');
  const send = () =>
    report.mutate(
      { memberId: profile.id, text: text.trim() },
      {
        onSuccess({ message }) {
          toast({ title: 'Reported', description: message });
          onClose();
        },
      },
    );
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={`Report ${isolated(profile.displayName)}`}
      description="Only the administrators read this."
      footer={
        <>
          <StayOpen while={report.isPending} />
          <Button disabled={report.isPending} onClick={onClose}>
            Cancel
          </Button>
          <Button variant="danger" disabled={text.trim() === ''} pending={report.isPending} onClick={send}>
            Send report
          </Button>
        </>
      }
    >
      <Field label="What happened?" hint={`At most ${formatCount(REPORT_MAX)} characters.`}>
        <Textarea value={text} onChange={(event) => setText(cappedAt(event.target.value, REPORT_MAX))} />
      </Field>
    </Dialog>
  );
}
