import { Link } from 'react-router-dom';
import { sectionPath } from './admin-sections';

/** The API's name for deleted members, which finds nobody. */
const DELETED_MEMBER = 'Deleted member';

/** A member's name, linked to them among the users. */
export function MemberLink({ name }: { name: string }) {
  if (name === DELETED_MEMBER) return <span className="text-ink-muted">{name}</span>;
  return (
    <Link
      to={sectionPath('users', { search: name })}
      className="font-medium text-ink underline decoration-line-strong underline-offset-4 hover:decoration-ink"
    >
      <bdi>{name}</bdi>
    </Link>
  );
}
