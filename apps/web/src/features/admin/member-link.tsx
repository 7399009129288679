import { Link } from 'react-router-dom';
import { sectionPath } from './admin-sections';

/** What the API calls members who are gone; nobody can be found by it. */
const DELETED_MEMBER = 'Deleted member';

/** A member's name; it leads to them among the users. */
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
