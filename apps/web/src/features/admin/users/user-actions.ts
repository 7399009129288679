import { createContext, use } from 'react';
import type { AdminUser } from '../use-admin';

/** An admin's actions on a user; each except `transactions` opens a dialog. */
export type UserAction =
  | 'add'
  | 'deduct'
  | 'password'
  | 'pin'
  | 'rating'
  | 'comments'
  | 'block'
  | 'make-admin'
  | 'unmake-admin'
  | 'delete'
  | 'transactions';

export type StartUserAction = (action: UserAction, user: AdminUser) => void;

/** Lets rows and cards start an action, because the columns of a table are constants and take no props. */
export const UserActionsContext = createContext<StartUserAction>(() => undefined);

export const useStartUserAction = (): StartUserAction => use(UserActionsContext);
