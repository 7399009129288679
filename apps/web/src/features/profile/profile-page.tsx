import { UserRound } from 'lucide-react';
import { Link } from 'react-router-dom';
import { AreaPage } from '@/features/areas/area-page';
import { buttonClasses } from '@/shared/ui';

export function ProfilePage() {
  return (
    <AreaPage
      title="Profile"
      backTo="/"
      icon={UserRound}
      emptyTitle="Your profile is empty"
      emptyText="Your picture, your content and your chat settings belong here."
      action={
        <Link to="/wallet" className={buttonClasses()}>
          Wallet &amp; Transactions
        </Link>
      }
    />
  );
}
