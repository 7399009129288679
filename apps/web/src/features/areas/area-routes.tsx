import { AppWindow, CodeXml, KeyRound } from 'lucide-react';
import type { RouteObject } from 'react-router-dom';
import { AreaPage } from './area-page';

/** The areas of S1 §2.1 that hold nothing until applications exist. */
export const areaRoutes: RouteObject[] = [
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
