import { AppWindow, BookOpen, CodeXml, KeyRound, Newspaper, Orbit, UserRound } from 'lucide-react';
import { Link, type RouteObject } from 'react-router-dom';
import { buttonClasses } from '@/shared/ui';
import { AreaPage } from './area-page';

const backToFeed = (
  <Link to="/feed" className={buttonClasses({ variant: 'primary' })}>
    Back to Feed
  </Link>
);

/** The areas of S1 §2.1 that hold nothing until chats, quests, content and applications exist. */
export const areaRoutes: RouteObject[] = [
  {
    path: '/post/:id',
    element: (
      <AreaPage
        title="Post"
        backTo="/feed"
        icon={Newspaper}
        emptyTitle="Post not found"
        emptyText="This post may have been deleted."
        action={backToFeed}
      />
    ),
  },
  {
    path: '/quests',
    element: (
      <AreaPage
        title="Daily Quests"
        backTo="/"
        icon={BookOpen}
        emptyTitle="No Active Quests"
        emptyText="Check back later for new daily quests and rewards!"
      />
    ),
  },
  {
    path: '/profile',
    element: (
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
    ),
  },
  {
    path: '/resonance',
    element: (
      <AreaPage
        title="Resonance"
        backTo="/profile"
        icon={Orbit}
        emptyTitle="No Resonance profile yet"
        emptyText="Your traits and your horizon belong here; they match you with people who fit."
      />
    ),
  },
  {
    path: '/developer',
    element: (
      <AreaPage
        title="Developer Portal"
        backTo="/"
        icon={CodeXml}
        emptyTitle="No applications yet"
        emptyText="Applications that sign members in with Nova, and those you have authorised, are listed here."
      />
    ),
  },
  {
    path: '/oauth/consent',
    element: (
      <AreaPage
        title="Authorize Application"
        backTo="/"
        icon={KeyRound}
        emptyTitle="Application Not Found"
        emptyText="The application requesting access could not be verified. This may be a security risk."
      />
    ),
  },
  {
    path: '/oauth/demo',
    element: (
      <AreaPage
        title="OAuth Demo"
        backTo="/developer"
        icon={AppWindow}
        emptyTitle="No application to try"
        emptyText="Once you have registered an application, its sign-in can be tried here step by step."
      />
    ),
  },
];
