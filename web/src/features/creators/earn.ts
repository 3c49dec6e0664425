/** The words of every link that leads people to the creator portal, in the footer, the menus and on the home page. */
export const EARN = 'Earn with your likeness';
