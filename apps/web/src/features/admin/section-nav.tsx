import { clsx } from 'clsx';
import { useEffect, useRef } from 'react';
import { Link } from 'react-router-dom';
import { ADMIN_SECTIONS, sectionPath, type AdminSection } from './admin-sections';

/** The way between the sections; on a phone a row that scrolls, with the shown one in sight. */
export function SectionNav({ shown }: { shown: AdminSection }) {
  return (
    <nav
      aria-label="Sections of the Admin Panel"
      className="-mx-4 mb-6 overflow-x-auto px-4 sm:mx-0 sm:px-0 print:hidden"
    >
      <ul className="flex w-max min-w-full gap-1 border-b border-line">
        {ADMIN_SECTIONS.map((section) => (
          <li key={section.name}>
            <SectionLink {...section} isShown={section.name === shown} />
          </li>
        ))}
      </ul>
    </nav>
  );
}

function SectionLink({ name, label, isShown }: (typeof ADMIN_SECTIONS)[number] & { isShown: boolean }) {
  const link = useRef<HTMLAnchorElement>(null);
  useEffect(() => {
    if (isShown) link.current?.scrollIntoView({ block: 'nearest', inline: 'center' });
  }, [isShown]);
  return (
    <Link
      ref={link}
      to={sectionPath(name)}
      aria-current={isShown ? 'page' : undefined}
      className={clsx(
        '-mb-px inline-flex min-h-11 items-center rounded-t-sm border-b-2 px-3 text-sm font-medium whitespace-nowrap transition-colors focus-visible:-outline-offset-2',
        isShown ? 'border-nova text-ink' : 'border-transparent text-ink-muted hover:text-ink',
      )}
    >
      {label}
    </Link>
  );
}
