/* How Marp makes the decks: https://github.com/marp-team/marp-cli */
export default {
    html: true, /* pictures and columns */
    allowLocalFiles: false,
    browser: 'chrome',
    /* Fonts and pictures of these would come from the network. */
    options: { math: false, emoji: { shortcode: false, unicode: false } },
};
