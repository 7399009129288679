/** Whether this is the page of that chat; both of its paths count (rule general-13). */
export const isChatPage = (pathname: string, chatId: string): boolean =>
  pathname === `/chat/${chatId}` || pathname === `/chats/${chatId}`;
