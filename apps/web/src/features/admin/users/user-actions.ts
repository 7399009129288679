import { createContext, use } from 'react';
import type { AdminUser } from '../use-admin';

/** What an admin can do about a user; each but `transactions` asks in a dialog. */
export type UserAction =
  'add' | 'deduct' | 'password' | 'pin' | 'rating' | 'comments' | 'block' | 'delete' | 'transactions';

export type StartUserAction = (action: UserAction, user: AdminUser) => void;

/** How rows and cards start an action: the columns of a table are constants and take no props. */
export const UserActionsContext = createContext<StartUserAction>(() => undefined);

export const useStartUserAction = (): StartUserAction => use(UserActionsContext);
