import { Ban, EllipsisVertical, Flag, UserMinus, UserPlus } from 'lucide-react';
import { DropdownMenu } from 'radix-ui';
import { useRef, useState, type ReactNode } from 'react';
import { buttonClasses } from '@/shared/ui';
import type { ProfileCard } from './card-types';
import { ReportDialog } from './report-dialog';
import { useChangeRelation, useRelation } from './use-relation';

const buttonLook = buttonClasses({
  variant: 'ghost',
  size: 'icon',
  className: 'rounded-full! bg-sky-950/70 text-ink! hover:bg-sky-950!',
});

/** Follow, block, report. The menu is made when it is first asked for: there is a button on every card. */
export function MemberMenu({ profile }: { profile: ProfileCard }) {
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
            // Only now: a dialog that opened before the menu gives the focus back would lose it again.
            onCloseAutoFocus={() => {
              if (isReportChosen.current) setReporting(true);
              isReportChosen.current = false;
            }}
            className="z-30 min-w-44 animate-appear rounded-md border border-line bg-sky-700 p-1 shadow-raised"
          >
            <Item onSelect={set('follow', following)} disabled={relation === undefined}>
              {following ? <UserMinus className="size-4" /> : <UserPlus className="size-4" />}
              {following ? 'Unfollow' : 'Follow'}
            </Item>
            <Item onSelect={set('block', blocked)} disabled={relation === undefined}>
              <Ban className="size-4" />
              {blocked ? 'Unblock' : 'Block'}
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
