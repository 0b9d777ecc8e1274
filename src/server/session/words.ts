// Words that a person can compare between the terminal and the page.

export const firstWords: readonly string[] =
  "amber bold brisk calm clear cool crisp deep early fair fine fresh gentle glad grand green kind light lively mild noble plain proud quick quiet rapid sharp sunny swift tidy warm wise".split(
    " ",
  );

export const secondWords: readonly string[] =
  "badger beaver bison crane dolphin eagle falcon finch fox gecko heron ibex jay koala lark lynx marten moose newt otter owl panda plover puffin raven robin seal stork swan tern wren yak".split(
    " ",
  );
