import { clsx } from 'clsx';
import { Link, useNavigate } from 'react-router-dom';
import { Badge, Field, Select } from '@/shared/ui';
import { ADMIN_SECTIONS, type AdminSection, isSection, SECTION_GROUPS, sectionPath } from './admin-sections';
import { useWaitingCount } from './approvals/use-approvals';
import { useBeyondCount } from './watches/use-watches';

/** The ways between the sections: a sidebar, and a select where there is no room for one (rule admin-3). */
export function SectionNav({ shown }: { shown: AdminSection }) {
  const navigate = useNavigate();
  const counts: Partial<Record<AdminSection, number>> = { approvals: useWaitingCount(), watches: useBeyondCount() };
  const inWords = ({ name, label }: (typeof ADMIN_SECTIONS)[number]) => ({
    value: name,
    label: counts[name] ? `${label} (${counts[name]})` : label,
  });
  return (
    <nav aria-label="Sections of the Admin Panel" className="min-w-0 print:hidden">
      <Field label="Section" className="lg:hidden">
        <Select
          options={ADMIN_SECTIONS.map(inWords)}
          value={shown}
          onChange={({ target }) => isSection(target.value) && void navigate(sectionPath(target.value))}
        />
      </Field>
      <div className="hidden gap-5 lg:grid tall:lg:sticky tall:lg:top-24">
        {SECTION_GROUPS.map((group) => (
          <div key={group}>
            <h2 className="px-3 pb-1 text-xs font-medium text-ink-faint">{group}</h2>
            <ul>
              {ADMIN_SECTIONS.filter((section) => section.group === group).map(({ name, label }) => (
                <li key={name}>
                  <SectionLink name={name} label={label} isShown={name === shown} count={counts[name] ?? 0} />
                </li>
              ))}
            </ul>
          </div>
        ))}
      </div>
    </nav>
  );
}

interface SectionLinkProps {
  name: AdminSection;
  label: string;
  isShown: boolean;
  /** How many things there wait for an admin. */
  count: number;
}

function SectionLink({ name, label, isShown, count }: SectionLinkProps) {
  return (
    <Link
      to={sectionPath(name)}
      aria-current={isShown ? 'page' : undefined}
      className={clsx(
        'flex min-h-9 items-center justify-between gap-2 rounded-sm px-3 text-sm font-medium transition-colors',
        isShown ? 'bg-sky-700 text-ink' : 'text-ink-muted hover:bg-sky-800 hover:text-ink',
      )}
    >
      <span>{label}</span>
      {count > 0 && <Badge tone="hold">{count}</Badge>}
    </Link>
  );
}
