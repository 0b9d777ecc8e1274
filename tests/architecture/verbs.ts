// The words that a function's name may begin with: verbs, and third persons for questions that are answered with yes or no. A new
// verb is added here; a noun or a participle is not one.
export const verbs: ReadonlySet<string> = new Set(
  `abbreviate accept add adopt advance allow anchor announce answer answers append appends apply approve archive are ask
   assemble assert assign attach await batch begin begins bind blank block borrow bound break build call can cancel capitalize
   capture carry catch chain change check choose claims classify clear clip close closes collapse collect commit compare
   compete compile complain complete compress compute conclude configure confine confirm conjoin connect continue copy could count
   cover crash create cut damage decide decode define delete deliver delivers deny derive describe detect dies discard dismiss
   dispatch do drain draw drive drop edit emit encode end ensure enter escape estimate evaluate evolve examine excepts excerpt
   excuse exec exists expand expect explain explore extend extract fail fence fetch fill filter find finish fit fits flag
   flatten fold follow forget format free freeze fulfil generate get give go grant group guard guess hand handle has hash hide
   identify ignore include increment indent infer inherit initialise install interpolate interrupt intersect invent is join judge keep
   kill label lacks launch learn leave lend limit list listen load locate lock log look looks lower make map mark match
   matches may measure meet memoize mend mentions merge mix move must name names negate normalize note notice number offer omit open
   order override pad paint parse pass patch pause peek perform pick pin pipe place plan play pluralize post prefix prepare
   print promote propose prove prune publish push put queue quote quotes race rank react read reassign rebuild recall record redact
   redo refers refresh refuse register reject relink remember remove rename render renew reopen repeat replace reply report
   require reset resolve respawn respond rest restart restore resume retell retire retry return reuse review rework rewrite round
   route run runs salvage save say says scan scope score scroll seal search seat seed select send serialize serve set settle sharpen shuffle
   shift shorten show sign skip sleep slice slim slugify snapshot sort speak spell spend split spot squeeze stage stamp start
   starts stay stays stem step stop store stray strip submit subscribe subtract suggest sum summarize supersede supervise swap
   sweep switch sync take takes tally tell tidy tie tighten time to tokenize translate trim trust try turn understand undouble
   unescape unlock unquote unwrap update use validate verify visit wait waive walk warn was watch weigh withdraw work wrap
   write wrote`
    .trim()
    .split(/\s+/),
);
