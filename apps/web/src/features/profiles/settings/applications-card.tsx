import { Link } from 'react-router-dom';
import { buttonClasses, Card } from '@/shared/ui';

/** The ways to the Developer Portal for every member: what may act for them, and what they build themselves (rule profiles-8). */
export function ApplicationsCard() {
  return (
    <Card
      className="mt-6"
      title="Applications"
      description="See which applications may act for you, and revoke their access; or register one of your own."
    >
      <div className="flex flex-wrap gap-2">
        <Link to="/developer?tab=authorized" className={buttonClasses()}>
          Authorized Apps
        </Link>
        <Link to="/developer" className={buttonClasses()}>
          Developer Portal
        </Link>
      </div>
    </Card>
  );
}
