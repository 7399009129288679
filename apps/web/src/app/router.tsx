import { createBrowserRouter } from 'react-router-dom';

export const router = createBrowserRouter([{ path: '*', element: <main>Nova</main> }]);
