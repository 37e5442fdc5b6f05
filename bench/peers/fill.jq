# Fills in the defaults of a content item: what `paylint fill` does, as far as jq can keep the text.
def default($name; $value): if has($name) then . else .[$name] = $value end;
def default_in($member; $name; $value): if has($member) then .[$member] |= default($name; $value) else . end;
default_in("application"; "@type"; "Application")
| default_in("category"; "@type"; "Category")
| default_in("topic"; "@type"; "Topic")
| default_in("publishStatus"; "@id"; "Unpublished")
| default_in("publishStatus"; "@type"; "PublishStatus")
| default_in("moderationStatus"; "@id"; "PendingModeration")
| default_in("moderationStatus"; "@type"; "ModerationStatus")
| default_in("thumbnail"; "@type"; "Thumbnail")
